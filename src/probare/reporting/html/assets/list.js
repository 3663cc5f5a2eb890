// The list of cases. Only the rows in sight are in the page; the rest is height.

const ROW = 52;
const MORE = 8;

const list = { shown: [], active: -1, drawn: new Map() };

const listRow = (row, at) =>
  el(
    "div",
    {
      class: `row s-${row.status}`,
      id: `row-${at}`,
      role: "row",
      "aria-rowindex": at + 2,
      "aria-selected": at === list.active ? "true" : "false",
      "data-at": at,
    },
    el(
      "span",
      { role: "gridcell", class: "status" },
      el("span", { class: "mark", "aria-hidden": "true" }, MARKS[row.status]),
      el("span", { class: "word" }, statusWords(row)),
    ),
    el(
      "span",
      { role: "gridcell", class: "name" },
      el("b", { title: row.id }, row.id),
      el("small", {}, row.reason || row.description || row.category || ""),
    ),
    el("span", { role: "gridcell", class: "trials" }, strip(row)),
    el("span", { role: "gridcell", class: "n" }, percent(row.accuracy)),
    el("span", { role: "gridcell", class: "n" }, duration(row.ms)),
  );

const draw = () => {
  const frame = byId("list");
  const rows = byId("rows");
  const first = Math.max(0, Math.floor(frame.scrollTop / ROW) - MORE);
  const last = Math.min(
    list.shown.length,
    Math.ceil((frame.scrollTop + frame.clientHeight) / ROW) + MORE,
  );
  const wanted = new Set();
  for (let at = first; at < last; at += 1) wanted.add(at);
  if (list.active >= 0) wanted.add(list.active);
  for (const [at, node] of list.drawn) {
    if (!wanted.has(at)) {
      node.remove();
      list.drawn.delete(at);
    }
  }
  for (const at of wanted) {
    if (list.drawn.has(at)) continue;
    const node = listRow(list.shown[at], at);
    node.style.transform = `translateY(${at * ROW}px)`;
    list.drawn.set(at, node);
    rows.append(node);
  }
};

const redraw = () => {
  for (const node of list.drawn.values()) node.remove();
  list.drawn.clear();
  byId("rows").style.height = `${list.shown.length * ROW}px`;
  byId("list").setAttribute("aria-rowcount", String(list.shown.length + 1));
  draw();
};

const inSight = (at) => {
  const frame = byId("list");
  const heads = frame.querySelector(".heads").offsetHeight;
  const top = at * ROW;
  if (top < frame.scrollTop) frame.scrollTop = top;
  const room = frame.clientHeight - heads;
  const beyond = top + ROW - frame.scrollTop - room;
  if (beyond > room) frame.scrollTop = top - room / 2;
  else if (beyond > 0) frame.scrollTop += beyond;
};

const activate = (at) => {
  const before = list.drawn.get(list.active);
  if (before) before.setAttribute("aria-selected", "false");
  list.active = at;
  const frame = byId("list");
  if (at < 0) {
    frame.removeAttribute("aria-activedescendant");
    return;
  }
  inSight(at);
  draw();
  list.drawn.get(at).setAttribute("aria-selected", "true");
  frame.setAttribute("aria-activedescendant", `row-${at}`);
};

const show = () => {
  const kept = list.shown[list.active];
  list.shown = filtered();
  list.active = -1;
  byId("list").scrollTop = 0;
  redraw();
  activate(kept === undefined ? -1 : list.shown.indexOf(kept));
  const count = list.shown.length.toLocaleString("en");
  byId("count").textContent = list.shown.length
    ? `${count} of ${plural(ROWS.length, "case")}`
    : "No case fits. Clear the search or a filter to see more.";
};

const startList = (opened) => {
  let waiting = false;
  byId("list").addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  });
  byId("rows").addEventListener("click", (event) => {
    const node = event.target.closest("[data-at]");
    if (node === null) return;
    activate(+node.dataset.at);
    opened(list.shown[list.active], { focus: true });
  });
  addEventListener("resize", draw);
};
