// Rates as a dot with its interval (D3). The numbers stand in the table beside; this is decoration.

const WIDTH = 220;
const HEIGHT = 22;
const MARGIN = 7;

const plain = (node, height) =>
  d3
    .select(node)
    .append("svg")
    .attr("viewBox", `0 0 ${WIDTH} ${height}`)
    .attr("width", WIDTH)
    .attr("height", height)
    .attr("aria-hidden", "true")
    .attr("focusable", "false");

const across = (low, high) =>
  d3.scaleLinear().domain([low, high]).range([MARGIN, WIDTH - MARGIN]).clamp(true);

const line = (svg, kind, x1, x2, y1, y2) =>
  svg.append("line").attr("class", kind).attr("x1", x1).attr("x2", x2).attr("y1", y1).attr("y2", y2);

const whisker = (svg, x, y, found) => {
  if (found.low !== undefined) {
    line(svg, "whisker", x(+found.low), x(+found.high), y, y);
    for (const end of [+found.low, +found.high]) line(svg, "whisker", x(end), x(end), y - 4, y + 4);
  }
  if (found.best !== undefined) {
    svg.append("circle").attr("class", "best").attr("cx", x(+found.best)).attr("cy", y).attr("r", 4);
  }
  svg.append("circle").attr("class", "dot").attr("cx", x(+found.value)).attr("cy", y).attr("r", 4);
};

// The scale of a table: from 0, or from 50, 80, 90 % where every interval lies above that.
const startOf = (cells) => {
  const least = Math.min(...cells.map((cell) => +(cell.dataset.low ?? cell.dataset.value)));
  return [0.9, 0.8, 0.5].find((start) => least >= start) ?? 0;
};

const drawRate = (cell, start) => {
  const svg = plain(cell, HEIGHT);
  const x = across(start, 1);
  line(svg, "base", x(start), x(1), HEIGHT / 2, HEIGHT / 2);
  for (const at of [start, (start + 1) / 2, 1]) line(svg, "grid", x(at), x(at), 3, HEIGHT - 3);
  whisker(svg, x, HEIGHT / 2, cell.dataset);
};

const drawTable = (table) => {
  const cells = [...table.querySelectorAll("td.plot[data-value]")];
  if (!cells.length) return;
  const start = startOf(cells);
  for (const cell of cells) drawRate(cell, start);
  const x = across(start, 1);
  const svg = plain(table.querySelector("thead .plot"), 18);
  const axis = d3.axisBottom(x).tickValues([start, (start + 1) / 2, 1]).tickFormat((v) => `${Math.round(100 * v)} %`);
  const drawn = svg.append("g").attr("class", "axis").call(axis.tickSize(0).tickPadding(4));
  drawn.select(".domain").remove();
  drawn.selectAll("text").attr("text-anchor", (v) => (v === start ? "start" : v === 1 ? "end" : "middle"));
};

const drawGap = (place) => {
  const svg = plain(place, 40);
  const most = Math.max(...["value", "low", "high"].map((key) => Math.abs(+place.dataset[key])));
  const end = [0.1, 0.2, 0.5].find((reach) => most <= reach) ?? 1;
  const x = across(-end, end);
  line(svg, "base", x(-end), x(end), 12, 12);
  line(svg, "nought", x(0), x(0), 2, 22);
  whisker(svg, x, 12, place.dataset);
  const axis = d3
    .axisBottom(x)
    .tickValues([-end, 0, end])
    .tickFormat((v) => (v === 0 ? "0" : `${v > 0 ? "+" : "−"}${Math.round(100 * end)} points`));
  const drawn = svg
    .append("g")
    .attr("class", "axis")
    .attr("transform", "translate(0,22)")
    .call(axis.tickSize(0).tickPadding(4));
  drawn.select(".domain").remove();
  drawn
    .selectAll("text")
    .attr("text-anchor", (v) => (v < 0 ? "start" : v > 0 ? "end" : "middle"));
};

const drawCharts = () => {
  for (const table of document.querySelectorAll("table.rates")) drawTable(table);
  for (const place of document.querySelectorAll(".gap-plot")) drawGap(place);
  for (const part of document.querySelectorAll(".statuses li")) {
    part.style.flexGrow = String(Math.max(0.02, +part.dataset.share));
  }
};
