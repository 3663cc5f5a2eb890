// The data blocks of this file: rows at once, pages of trials when they are asked for.

const parsed = (id) => {
  const node = byId(id);
  return node === null ? null : JSON.parse(node.textContent);
};

const ABOUT = parsed("about");

const STATUSES = ["failed", "flaky", "errored", "needs_review", "ungraded", "passed"];
const WORDS = {
  failed: "failed",
  flaky: "flaky",
  errored: "errored",
  needs_review: "needs review",
  ungraded: "ungraded",
  passed: "passed",
};
const MARKS = { failed: "✗", flaky: "≈", errored: "!", needs_review: "?", ungraded: "–", passed: "✓" };
const LETTERS = { p: "passed", f: "failed", e: "errored", n: "needs_review", u: "ungraded" };

const statusWords = (row) =>
  row.review === "always" && (row.status === "ungraded" || row.status === "needs_review")
    ? "for people"
    : WORDS[row.status];

const readRows = () => {
  const rows = [];
  for (let number = 0; number < ABOUT.row_blocks; number += 1) {
    for (const values of parsed(`rows-${number}`)) {
      const row = {};
      ABOUT.columns.forEach((name, at) => {
        row[name] = values[at];
      });
      row.rank = STATUSES.indexOf(row.status);
      row.strip ??= "p".repeat(row.trials);
      rows.push(row);
    }
  }
  return rows;
};

const ROWS = readRows();
const BY_ID = new Map(ROWS.map((row) => [row.id, row]));

// A few chunks stay parsed; the others wait as text.
const chunks = new Map();
const page = (number, position) => {
  let chunk = chunks.get(number);
  if (chunk === undefined) {
    chunk = parsed(`chunk-${number}`) || [];
    chunks.set(number, chunk);
    if (chunks.size > 24) chunks.delete(chunks.keys().next().value);
  }
  return chunk[position];
};

const casePage = (row) => (row.page === null ? null : page(...row.page));
const trialsOf = (row) =>
  row.pages.map(([trial, chunk, position]) => ({ trial, load: () => page(chunk, position) }));

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);
const showCommand = (row) => `probare show ${quoted(ABOUT.run_id)} ${quoted(row.id)}`;
