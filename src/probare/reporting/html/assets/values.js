// Values as a person reads them: texts as texts, the rest as indented JSON, long ones folded.

const LONG = 1500;

const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

const textBlock = (text, hits = [], kind = "value") => {
  const body = el("pre", { class: kind, tabindex: "0" }, marked(text, hits));
  if (text.length <= LONG && text.split("\n").length <= 30) return body;
  if (hits.length) return body;
  body.classList.add("folded");
  const button = el(
    "button",
    {
      type: "button",
      class: "unfold",
      "aria-expanded": "false",
      onclick: () => {
        const folded = body.classList.toggle("folded");
        button.setAttribute("aria-expanded", String(!folded));
        button.textContent = folded ? words : "Show less";
      },
    },
    "",
  );
  const words = `Show all ${text.length.toLocaleString("en")} characters`;
  button.textContent = words;
  return el("div", {}, body, button);
};

const valueBlock = (value, hits = []) => textBlock(asText(value), hits);

// A mapping of short values in one line; anything else as a block.
const argument = (value) => {
  if (value === null || value === undefined) return null;
  const short = JSON.stringify(value);
  if (typeof value !== "string" && short.length <= 100) return el("code", { class: "inline" }, short);
  return valueBlock(value);
};
