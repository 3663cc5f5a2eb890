// On paper: the cases that did not pass, a few pages of them, opened; none of the controls.

const PRINTED = 40;

const printedCase = (row) => {
  const pages = trialsOf(row);
  const current = firstToRead(row, pages);
  const trial = current && current.load();
  if (!trial) return el("article", { class: "printed" }, caseHead(row), row.reason && el("p", {}, row.reason));
  const verdicts = trial.verdicts || [];
  const hits = hitsOf({ ...trial, verdicts });
  const output = trial.outcome ? trial.outcome.output : undefined;
  const text = typeof output === "string" ? output : trial.text;
  const bad = ordered(verdicts).filter((each) => each.verdict.result !== "pass");
  return el(
    "article",
    { class: "printed" },
    caseHead(row),
    errorPart(trial),
    el("ul", { class: "verdicts" }, bad.map((each) => verdictItem(each.verdict, hits[each.at], text))),
    outputPart(trial, hits),
  );
};

const startPrinting = () => {
  const place = byId("print-cases");
  addEventListener("beforeprint", () => {
    const bad = ROWS.filter((row) => row.status !== "passed").sort(ORDERS.worst);
    fill(clear(place), [
      bad.slice(0, PRINTED).map(printedCase),
      bad.length > PRINTED && el("p", {}, `… and ${plural(bad.length - PRINTED, "case")} more that did not pass: see the file itself.`),
    ]);
  });
  addEventListener("afterprint", () => clear(place));
};
