// Which cases are shown, and in which order.

const NONE = "\u0000none";
const ORDERS = {
  worst: (a, b) => a.rank - b.rank || a.at - b.at,
  suite: (a, b) => a.at - b.at,
  slow: (a, b) => (b.ms ?? -1) - (a.ms ?? -1) || a.at - b.at,
  name: (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
};

const haystack = (row) => {
  row.hay ??= [row.id, row.category, row.tags.join(" "), row.reason, row.description]
    .join("\n")
    .toLowerCase();
  return row.hay;
};

const counted = (values) => {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
  return [...counts].sort((a, b) => (a[0] < b[0] ? -1 : 1));
};

const offer = (id, pairs, words = (value) => value) => {
  for (const [value, count] of pairs) {
    const label = `${value === NONE ? "none" : words(value)} (${count.toLocaleString("en")})`;
    const option = el("option", {}, label);
    option.value = value;
    byId(id).append(option);
  }
  const one = pairs.length < 2 && byId(id).parentElement;
  if (one) one.hidden = true;
};

const offerAll = () => {
  const statuses = counted(ROWS.map((row) => row.status));
  statuses.sort((a, b) => STATUSES.indexOf(a[0]) - STATUSES.indexOf(b[0]));
  offer("f-status", statuses, (value) => WORDS[value]);
  offer("f-tag", counted(ROWS.flatMap((row) => (row.tags.length ? row.tags : [NONE]))));
  offer("f-category", counted(ROWS.map((row) => row.category ?? NONE)));
  offer("f-split", counted(ROWS.map((row) => row.split)), (value) => value.replace("_", " "));
};

const chosen = (id) => byId(id).value;

const filtered = () => {
  const status = chosen("f-status");
  const tag = chosen("f-tag");
  const category = chosen("f-category");
  const split = chosen("f-split");
  const words = chosen("q").toLowerCase().split(/\s+/).filter(Boolean);
  const found = ROWS.filter(
    (row) =>
      (!status || row.status === status) &&
      (!tag || (tag === NONE ? row.tags.length === 0 : row.tags.includes(tag))) &&
      (!category || (row.category ?? NONE) === category) &&
      (!split || row.split === split) &&
      words.every((word) => haystack(row).includes(word)),
  );
  return found.sort(ORDERS[chosen("order")]);
};

const startFilters = (changed) => {
  offerAll();
  for (const id of ["f-status", "f-tag", "f-category", "f-split", "order"]) {
    byId(id).addEventListener("change", changed);
  }
  byId("q").addEventListener("input", changed);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("clear").addEventListener("click", () => {
    byId("filters").reset();
    changed();
    byId("q").focus();
  });
  for (const button of document.querySelectorAll("[data-status]")) {
    button.addEventListener("click", () => {
      byId("filters").reset();
      byId("f-status").value = button.dataset.status;
      changed();
      byId("cases").scrollIntoView();
      byId("list").focus({ preventScroll: true });
    });
  }
  byId("filters").hidden = false;
};
