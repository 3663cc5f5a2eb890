// Spans count characters as Python does (code points); texts here count UTF-16 units.

const toUnits = (text) => {
  if (!/[\ud800-\udfff]/.test(text)) return (at) => Math.min(at, text.length);
  const starts = [];
  let unit = 0;
  for (const char of text) {
    starts.push(unit);
    unit += char.length;
  }
  starts.push(unit);
  return (at) => starts[Math.min(at, starts.length - 1)];
};

// A text as nodes, with each hit marked. Hits are {start, end, good, label}; they may overlap.
const marked = (text, hits) => {
  if (!hits.length) return [visible(text)];
  const unit = toUnits(text);
  const placed = hits
    .map((hit) => ({ ...hit, from: unit(hit.start), to: unit(hit.end) }))
    .filter((hit) => hit.to > hit.from);
  const edges = [...new Set([0, text.length, ...placed.flatMap((hit) => [hit.from, hit.to])])];
  edges.sort((a, b) => a - b);
  const nodes = [];
  for (let at = 0; at + 1 < edges.length; at += 1) {
    const piece = visible(text.slice(edges[at], edges[at + 1]));
    const over = placed.filter((hit) => hit.from <= edges[at] && hit.to >= edges[at + 1]);
    if (!over.length) nodes.push(piece);
    else {
      const good = over.every((hit) => hit.good);
      const labels = [...new Set(over.map((hit) => hit.label))].join(" · ");
      nodes.push(el("mark", { class: good ? "good" : "bad", title: labels }, piece));
    }
  }
  return nodes;
};

const AROUND = 70;

// The neighbourhoods of hits, a line each; hits that stand close share one. Null where a hit lies
// beyond the text.
const excerpts = (text, hits) => {
  const unit = toUnits(text);
  const groups = [];
  for (const hit of [...hits].sort((a, b) => a.start - b.start)) {
    const from = unit(hit.start);
    const to = unit(hit.end);
    if (from >= text.length && hit.end > hit.start) return null;
    const last = groups.at(-1);
    if (last && from - last.to < AROUND) {
      last.to = Math.max(last.to, to);
      last.hits.push(hit);
    } else groups.push({ from, to, hits: [hit] });
  }
  return groups.map((group) => {
    const from = Math.max(0, group.from - AROUND);
    const to = Math.min(text.length, group.to + AROUND);
    const moved = [...text.slice(0, from)].length;
    const within = group.hits.map((hit) => ({ ...hit, start: hit.start - moved, end: hit.end - moved }));
    return el(
      "q",
      { class: "excerpt" },
      from > 0 ? "…" : "",
      marked(text.slice(from, to), within),
      to < text.length ? "…" : "",
    );
  });
};
