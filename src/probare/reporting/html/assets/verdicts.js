// What each check said, what it looked at, and where exactly it hit.

const RESULT_ORDER = ["fail", "error", "unknown", "skipped", "pass"];
const RESULT_MARKS = { fail: "✗", error: "!", unknown: "?", skipped: "–", pass: "✓" };

// Hits of a trial's checks: those in the output's text, and those in other texts.
const hitsOf = (trial) => {
  const looked = new Map((trial.looked || []).map((found) => [found.verdict, found]));
  return trial.verdicts.map((verdict, at) => {
    const found = looked.get(at);
    const good = verdict.result === "pass";
    const spans = (verdict.spans || []).map((span) => ({
      start: span.start,
      end: span.end,
      good,
      label: `${verdict.list} ${verdict.label}: ${verdict.result}`,
    }));
    return { found, spans };
  });
};

const SHOWN = 5;

const verdictExcerpts = (hits, text) => {
  if (!hits || !hits.spans.length || !hits.found) return null;
  if (hits.found.why) return el("p", { class: "aside" }, `The place is not shown: ${hits.found.why}.`);
  const seen = hits.found.text ?? text;
  if (typeof seen !== "string") return null;
  const place = hits.found.place === "$text" ? "" : ` in ${hits.found.place}`;
  const made = excerpts(seen, hits.spans.slice(0, SHOWN));
  if (made === null) {
    return el("p", { class: "aside" }, `The hit lies beyond what is embedded here${place}.`);
  }
  const more = hits.spans.length - SHOWN;
  return el(
    "p",
    { class: "hits" },
    made,
    place && el("span", { class: "aside" }, place),
    more > 0 && el("span", { class: "aside" }, ` and ${plural(more, "more place")}`),
  );
};

const verdictItem = (verdict, hits, text) =>
  el(
    "li",
    { class: `verdict r-${verdict.result}` },
    el(
      "p",
      {},
      el("span", { class: "mark", "aria-hidden": "true" }, RESULT_MARKS[verdict.result]),
      el("span", { class: "kind" }, `${verdict.result} · ${verdict.list}`),
      " ",
      el("b", {}, verdict.label),
      verdict.required === false && el("span", { class: "tag" }, "optional"),
      typeof verdict.score === "number" && verdict.score > 0 && verdict.score < 1
        ? el("span", { class: "took" }, `score ${verdict.score.toFixed(2)}`)
        : null,
    ),
    verdict.reason && el("p", { class: "reason" }, verdict.reason),
    verdictExcerpts(hits, text),
  );

const ordered = (verdicts) =>
  verdicts
    .map((verdict, at) => ({ verdict, at }))
    .sort(
      (a, b) =>
        RESULT_ORDER.indexOf(a.verdict.result) - RESULT_ORDER.indexOf(b.verdict.result) ||
        (a.verdict.required === false) - (b.verdict.required === false) ||
        a.at - b.at,
    );

const verdictList = (verdicts, hits, text) => {
  const sorted = ordered(verdicts);
  const telling = sorted.filter((each) => each.verdict.result !== "pass");
  const passed = sorted.filter((each) => each.verdict.result === "pass");
  const items = (some) => some.map((each) => verdictItem(each.verdict, hits[each.at], text));
  const rest =
    passed.length &&
    el(
      "details",
      { open: telling.length === 0 && passed.length <= 6 },
      el("summary", {}, `${plural(passed.length, "check")} passed`),
      el("ul", { class: "verdicts" }, items(passed)),
    );
  return [telling.length ? el("ul", { class: "verdicts" }, items(telling)) : null, rest || null];
};
