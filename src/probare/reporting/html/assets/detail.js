// One case, read: what went wrong, the output with the hits marked, what happened, what was asked.

const reading = { row: null, trial: null };

const heading = (words, ...body) => {
  const inside = body.flat().filter(Boolean);
  return inside.length ? el("section", { class: "part" }, el("h4", {}, words), inside) : null;
};

const trialTabs = (row, pages, current) => {
  if (pages.length < 2) return null;
  const buttons = pages.slice(0, 60).map((each) => {
    const word = WORDS[LETTERS[row.strip[each.trial]]] || "trial";
    return el(
      "button",
      {
        type: "button",
        class: `tab t-${word.replace(" ", "_")}`,
        "aria-pressed": String(each.trial === current),
        "aria-label": `trial ${each.trial}, ${word}`,
        onclick: () => open(row, { trial: each.trial }),
      },
      String(each.trial),
    );
  });
  const more = pages.length - buttons.length;
  return el(
    "div",
    { class: "tabs", role: "group", "aria-label": "Trials" },
    el("span", { class: "aside" }, "trial"),
    buttons,
    more > 0 && el("span", { class: "aside" }, `and ${more} more with [ and ]`),
  );
};

const missingNote = (row, pages) => {
  const ran = [...row.strip].filter((letter) => letter !== "-").length;
  const gone = ran - pages.length;
  if (gone <= 0) return null;
  const words = pages.length
    ? `${plural(gone, "more trial")} of this case ${gone === 1 ? "is" : "are"} not embedded in this file.`
    : "What happened in this case is not embedded in this file, to keep it small.";
  return el("p", { class: "aside" }, words, " See ", el("code", {}, showCommand(row)));
};

const outputPart = (trial, hits) => {
  const output = trial.outcome ? trial.outcome.output : undefined;
  if (output === undefined || output === null) {
    return heading("Output", el("p", { class: "none" }, "There is no output."));
  }
  const inText = hits
    .filter((each) => each.found && each.found.place === "$text" && !each.found.why)
    .flatMap((each) => each.spans);
  const text = typeof output === "string" ? output : trial.text;
  const cut = trial.outcome.truncated && el("p", { class: "aside" }, "The output was cut before it ended.");
  if (typeof output === "string") return heading("Output", textBlock(text, inText, "said"), cut);
  const shown = inText.length && typeof text === "string" ? textBlock(text, inText, "said") : null;
  return heading("Output", shown, valueBlock(output), cut);
};

const withHits = (events, output, hits) => {
  const inText = hits
    .filter((each) => each.found && each.found.place === "$text" && !each.found.why)
    .flatMap((each) => each.spans);
  if (!inText.length || typeof output !== "string") return events;
  return events.map((event) =>
    event.kind === "message" && event.content === output ? { ...event, hits: inText } : event,
  );
};

const eventsPart = (trial, hits) => {
  const events = trial.events || [];
  if (!events.length) return null;
  const output = trial.outcome ? trial.outcome.output : undefined;
  const sum = `${plural(events.length, "event")}: ${claims(events)}`;
  return heading("What happened", el("p", { class: "aside" }, sum), timeline(withHits(events, output, hits)));
};

const trialFacts = (trial) => {
  const usage = trial.usage || {};
  const tokens =
    usage.input_tokens != null && usage.output_tokens != null
      ? `${(usage.input_tokens + usage.output_tokens).toLocaleString("en")} tokens`
      : null;
  return [
    WORDS[trial.status],
    trial.stop.replace("_", " "),
    duration(trial.duration_ms),
    trial.first_token_ms != null && `first token ${duration(trial.first_token_ms)}`,
    trial.attempts > 1 && plural(trial.attempts, "attempt"),
    tokens,
    usage.cost_usd != null && money(usage.cost_usd),
    trial.started && trial.started.replace("T", " ").replace("+00:00", " UTC"),
  ]
    .filter(Boolean)
    .join(" · ");
};

const errorPart = (trial) =>
  trial.error &&
  heading(
    `Stopped: ${trial.stop.replace("_", " ")}`,
    el("p", { class: "bad-words" }, `${trial.error.type}: ${trial.error.message}`),
    trial.error.hint && el("p", { class: "aside" }, trial.error.hint),
  );

const VERDICT_HEADS = {
  failed: "What failed",
  errored: "Why it could not be judged",
  needs_review: "What people must settle",
};

const trialPart = (trial) => {
  const verdicts = trial.verdicts || [];
  const hits = hitsOf({ ...trial, verdicts });
  const output = trial.outcome ? trial.outcome.output : undefined;
  const text = typeof output === "string" ? output : trial.text;
  return [
    el("p", { class: "aside trial-facts" }, trialFacts(trial)),
    errorPart(trial),
    heading(VERDICT_HEADS[trial.status] || "Checks", verdictList(verdicts, hits, text)),
    outputPart(trial, hits),
    eventsPart(trial, hits),
    trial.outcome && trial.outcome.state !== undefined
      ? heading("Final state", valueBlock(trial.outcome.state))
      : null,
    trial.outcome && (trial.outcome.artifacts || []).length
      ? heading("Artifacts", el("ul", { class: "plain" }, trial.outcome.artifacts.map((name) => el("li", {}, name))))
      : null,
  ];
};

const checkWords = (check) => {
  const inner = (check.checks || []).map(checkWords).join("; ");
  const given = check.args && Object.keys(check.args).length ? ` ${JSON.stringify(check.args)}` : "";
  return `${check.label ? `${check.label}: ` : ""}${check.grader}${given}${inner ? ` (${inner})` : ""}${check.in ? ` in ${check.in}` : ""}`;
};

const casePart = (found) => {
  if (!found) return null;
  const checks = [
    ...(found.expect || []).map((check) => el("li", {}, el("span", { class: "kind" }, "expect"), " ", checkWords(check))),
    ...(found.forbid || []).map((check) => el("li", {}, el("span", { class: "kind" }, "forbid"), " ", checkWords(check))),
  ];
  return [
    found.wide && found.wide.length ? heading("Over all trials", verdictList(found.wide, [], null)) : null,
    found.input === undefined || found.input === null ? null : heading("Input", valueBlock(found.input)),
    found.reference === undefined ? null : heading("Reference", valueBlock(found.reference)),
    checks.length
      ? heading("Checks", el("details", {}, el("summary", {}, plural(checks.length, "check")), el("ul", { class: "plain checks" }, checks)))
      : null,
  ];
};

// Why the case is there (an intent, bounds, a rationale): what a reader of a failure wants first.
const notesPart = (notes) =>
  notes && Object.keys(notes).length
    ? el(
        "dl",
        { class: "case-notes" },
        Object.entries(notes).map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))),
      )
    : null;

const caseHead = (row) =>
  el(
    "header",
    { class: "case-head" },
    el(
      "p",
      { class: "crumbs" },
      el("span", { class: `badge s-${row.status}` }, `${MARKS[row.status]} ${statusWords(row)}`),
      row.category && el("span", { class: "tag" }, row.category),
      row.tags.map((tag) => el("span", { class: "tag" }, `#${tag}`)),
      el("span", { class: "tag" }, row.split.replace("_", " ")),
    ),
    el("h3", { id: "case-title" }, row.id),
    el(
      "p",
      { class: "aside case-scores" },
      strip(row),
      ` ${row.passed} of ${plural(row.trials, "trial")} passed · accuracy ${percent(row.accuracy)}`,
      row.safety === null ? "" : ` · safety ${percent(row.safety)}`,
    ),
  );

const firstToRead = (row, pages) => {
  for (const letter of "fenu") {
    const found = pages.find((each) => row.strip[each.trial] === letter);
    if (found) return found;
  }
  return pages[0];
};

const closeButton = () =>
  el("button", { type: "button", class: "close", onclick: () => leave() }, "Back to the list");

const render = (row, pages, current) => {
  const found = casePage(row);
  const trial = current && current.load();
  return [
    caseHead(row),
    found && found.description && el("p", { class: "description" }, found.description),
    found && notesPart(found.notes),
    !found && row.description && el("p", { class: "description" }, row.description),
    trialTabs(row, pages, current && current.trial),
    missingNote(row, pages),
    trial && trialPart(trial),
    casePart(found),
  ];
};

// Opens a case; with `focus`, the reader is taken there (on a small screen, it covers the list).
const open = (row, { trial = null, focus = false, link = true } = {}) => {
  const pages = trialsOf(row).sort((a, b) => a.trial - b.trial);
  const current = pages.find((each) => each.trial === trial) || firstToRead(row, pages);
  reading.row = row;
  reading.trial = current ? current.trial : null;
  const place = clear(byId("detail"));
  fill(place, [closeButton(), render(row, pages, current)]);
  place.scrollTop = 0;
  place.setAttribute("aria-label", `Case ${row.id}`);
  if (link) {
    const at = current && pages.length > 1 ? `&trial=${current.trial}` : "";
    history.replaceState(null, "", `#case=${encodeURIComponent(row.id)}${at}`);
  }
  if (focus) {
    document.body.classList.add("reading");
    place.focus({ preventScroll: true });
  }
};

const leave = () => {
  document.body.classList.remove("reading");
  byId("list").focus({ preventScroll: true });
};

const step = (by) => {
  if (reading.row === null) return;
  const pages = trialsOf(reading.row).sort((a, b) => a.trial - b.trial);
  const at = pages.findIndex((each) => each.trial === reading.trial);
  const next = pages[at + by];
  if (next) open(reading.row, { trial: next.trial });
};
