// Building the page from data. Text goes in as text nodes only; nothing is ever parsed as HTML.

const byId = (id) => document.getElementById(id);

const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028\u2029\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]/gu;

// Control characters and direction marks are written out, so that they cannot change the page.
const visible = (text) =>
  text.replace(UNSEEN, (char) => {
    if (char === "\r") return "";
    const code = char.codePointAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });

const fill = (node, children) => {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) fill(node, child);
    else node.append(child instanceof Node ? child : visible(String(child)));
  }
  return node;
};

// el("p", { class: "x", onclick: f, "aria-label": "y" }, "text", node, [more])
const el = (name, attributes, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : visible(String(value)));
  }
  return fill(node, children);
};

const clear = (node) => {
  node.replaceChildren();
  return node;
};

const plural = (count, noun) =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

const duration = (ms) => {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1000) return ms >= 1 || ms === 0 ? `${Math.round(ms)} ms` : `${ms.toFixed(2)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
};

// What is not quite all is never shown as 100 %.
const percent = (share) => {
  if (share === null || share === undefined) return "–";
  let shown = (100 * share).toFixed(1);
  if (shown === "100.0" && share < 1) shown = "99.9";
  if (shown === "0.0" && share > 0) shown = "0.1";
  return `${shown.replace(/\.0$/, "")} %`;
};

const money = (dollars) => {
  if (dollars === null || dollars === undefined) return "–";
  if (dollars > 0 && dollars < 0.0001) return "under $0.0001";
  return dollars >= 1 || dollars === 0 ? `$${dollars.toFixed(2)}` : `$${dollars.toFixed(4)}`;
};
