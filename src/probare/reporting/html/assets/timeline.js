// What happened, in order, with durations. Each event says who saw it.

const SOURCES = {
  observed: "seen by the harness",
  claimed: "told by the agent of itself, not seen",
  replayed: "from a recording",
};

const sourceBadge = (event) => {
  const source = event.source || "claimed";
  return el("span", { class: `source ${source}`, title: SOURCES[source] }, source);
};

const took = (ms) => (ms === undefined || ms === null ? null : el("span", { class: "took" }, duration(ms)));

const say = (...words) => el("span", { class: "what" }, ...words);

const failure = (text) => text && el("p", { class: "bad-words" }, text);

const KINDS = {
  message: (e) => ({
    title: say(el("b", {}, e.role)),
    body: [typeof e.content === "string" ? textBlock(e.content, e.hits || [], "said") : valueBlock(e.content)],
  }),
  tool_call: (e) => ({
    title: say("calls ", el("b", {}, e.name)),
    body: [argument(e.arguments)],
  }),
  tool_result: (e) => ({
    title: say(el("b", {}, e.name), e.error ? " failed" : " answered"),
    tone: e.error ? "failed" : null,
    body: [failure(e.error), argument(e.result)],
  }),
  retrieval: (e) => ({
    title: say(el("b", {}, e.name || "retriever"), " was asked"),
    tone: e.error ? "failed" : null,
    body: [
      argument(e.query),
      failure(e.error),
      e.documents === undefined || e.documents === null
        ? null
        : el(
            "details",
            {},
            el("summary", {}, Array.isArray(e.documents) ? plural(e.documents.length, "document") : "documents"),
            valueBlock(e.documents),
          ),
    ],
  }),
  decision: (e) => ({
    title: say(
      el("b", { class: `ruling ${e.decision}` }, e.decision.replace("_", " ")),
      ` ${e.action}`,
      e.resource ? ` on ${e.resource}` : "",
    ),
    tone: e.decision === "deny" ? "failed" : null,
    body: [e.reason && el("p", {}, e.reason), e.policy && el("p", { class: "aside" }, `policy ${e.policy}`)],
  }),
  approval: (e) => ({
    title: say("approval ", el("b", { class: `ruling ${e.state}` }, e.state), ` for ${e.action}`, e.by ? ` by ${e.by}` : ""),
    body: [e.resource && el("p", { class: "aside" }, `on ${e.resource}`), e.reason && el("p", {}, e.reason)],
  }),
  attempt: (e) => ({
    title: say(`attempt ${e.number} of `, el("b", {}, e.operation), e.ok ? " worked" : " failed"),
    tone: e.ok ? null : "failed",
    body: [failure(e.error)],
  }),
  usage: (e) => ({
    title: say(
      [
        e.model,
        e.input_tokens === undefined || e.input_tokens === null ? null : `${e.input_tokens.toLocaleString("en")} tokens in`,
        e.output_tokens === undefined || e.output_tokens === null ? null : `${e.output_tokens.toLocaleString("en")} out`,
        e.cost_usd === undefined || e.cost_usd === null ? null : money(e.cost_usd),
      ]
        .filter(Boolean)
        .join(" · ") || "usage not known",
    ),
    body: [],
  }),
  artifact: (e) => ({
    title: say("made ", el("b", {}, e.path)),
    body: [
      el(
        "p",
        { class: "aside" },
        [e.media_type, e.size === undefined || e.size === null ? null : `${e.size.toLocaleString("en")} bytes`, e.sha256 && `sha256 ${e.sha256.slice(0, 16)}…`]
          .filter(Boolean)
          .join(" · "),
      ),
    ],
  }),
  state: (e) => ({
    title: say("the state is now"),
    body: [el("details", {}, el("summary", {}, "state"), valueBlock(e.state))],
  }),
  error: (e) => ({
    title: say(el("b", {}, e.type)),
    tone: "failed",
    body: [
      failure(e.message),
      e.traceback && el("details", {}, el("summary", {}, "traceback"), textBlock(e.traceback)),
    ],
  }),
  note: (e) => ({
    title: say(),
    body: [textBlock(e.text || "", [], "said"), e.data === undefined || e.data === null ? null : argument(e.data)],
  }),
};

const NAMES = { tool_call: "tool", tool_result: "result", state: "state" };

// A result without a duration of its own took the time since its call.
const durations = (events) => {
  const calls = new Map();
  return events.map((e) => {
    if (e.kind === "tool_call" && e.call_id) calls.set(e.call_id, e);
    if (e.duration_ms !== undefined && e.duration_ms !== null) return e.duration_ms;
    const call = e.kind === "tool_result" && e.call_id ? calls.get(e.call_id) : undefined;
    return call && call.at_ms !== undefined && e.at_ms !== undefined ? e.at_ms - call.at_ms : null;
  });
};

const clock = (ms, start) =>
  ms === undefined || ms === null ? "" : `+${duration(Math.max(0, ms - start))}`;

const timelineItem = (event, ms) => {
  const known = KINDS[event.kind];
  const made = known ? known(event) : { title: say(event.kind), body: [valueBlock(event)] };
  return el(
    "li",
    { class: `event k-${known ? event.kind : "other"}${made.tone ? ` ${made.tone}` : ""}` },
    el(
      "div",
      { class: "line" },
      el("span", { class: "kind" }, NAMES[event.kind] || String(event.kind).replace("_", " ")),
      made.title,
      took(ms),
      el("span", { class: "clock" }, clock(event.at_ms, 0)),
      sourceBadge(event),
    ),
    made.body,
  );
};

const timeline = (events) => {
  const known = durations(events);
  return el("ol", { class: "timeline" }, events.map((event, at) => timelineItem(event, known[at])));
};

const claims = (events) => {
  const counts = new Map();
  for (const event of events) {
    const source = event.source || "claimed";
    counts.set(source, (counts.get(source) || 0) + 1);
  }
  return [...counts].map(([source, count]) => `${count} ${source}`).join(", ");
};
