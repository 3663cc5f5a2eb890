// Starting: charts, list, filters, keys; then the case that the address names, or the worst one.

const leftOut = () => {
  const parts = [];
  if (ABOUT.rows_left_out) {
    parts.push(`${plural(ABOUT.rows_left_out, "passed case")} are not even listed here.`);
  }
  if (ABOUT.left_out_others) {
    parts.push(`The transcripts of ${plural(ABOUT.left_out_others, "trial")} of cases that did not pass are not in this file: it would be too large to send.`);
  }
  if (ABOUT.left_out_passed) {
    parts.push(`Of the passed ones, ${plural(ABOUT.left_out_passed, "transcript")} are left out to keep the file small.`);
  }
  if (!parts.length) return;
  const loud = ABOUT.rows_left_out || ABOUT.left_out_others;
  const place = byId("left-out");
  place.className = loud ? "loud" : "aside";
  fill(place, [
    `This file holds ${ABOUT.embedded.toLocaleString("en")} of ${plural(ABOUT.trials, "transcript")}. `,
    parts.join(" "),
    " The others: ",
    el("code", {}, `probare show ${quoted(ABOUT.run_id)} CASE`),
    ".",
  ]);
  place.hidden = false;
};

const claimedNote = () => {
  const { observed, claimed, replayed } = ABOUT.sources;
  if (!claimed && !replayed) return;
  const words = [
    `Of the ${plural(observed + claimed + replayed, "event")} in this file, ${observed.toLocaleString("en")} were observed`,
    claimed && `${claimed.toLocaleString("en")} only claimed by the agent`,
    replayed && `${replayed.toLocaleString("en")} replayed from a recording`,
  ].filter(Boolean);
  byId("count").after(el("p", { class: "aside" }, `${words.join(", ")}.`));
};

const fromAddress = () => {
  const asked = new URLSearchParams(location.hash.slice(1));
  const id = asked.get("case");
  if (id === null) return false;
  const row = BY_ID.get(id);
  if (row === undefined) {
    byId("count").textContent = `There is no case “${visible(id)}” in this report.`;
    return false;
  }
  let at = list.shown.indexOf(row);
  if (at < 0) {
    byId("filters").reset();
    show();
    at = list.shown.indexOf(row);
  }
  activate(at);
  const trial = asked.get("trial");
  open(row, { trial: trial === null ? null : Number(trial), focus: true, link: false });
  byId("explorer").scrollIntoView({ block: "end", behavior: "instant" });
  return true;
};

byId("explorer").hidden = false;
drawCharts();
startTheme();
startFilters(show);
startList(open);
startKeys();
startPrinting();
leftOut();
show();
claimedNote();
if (!fromAddress() && list.shown.length) {
  activate(0);
  open(list.shown[0], { link: false });
}
addEventListener("hashchange", fromAddress);
