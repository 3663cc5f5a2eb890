// The trials of a case side by side: what is flaky is seen at once.

const TICKS = 16;

const stripWords = (row) => {
  const counts = new Map();
  for (const letter of row.strip) {
    const word = letter === "-" ? "did not run" : WORDS[LETTERS[letter]];
    counts.set(word, (counts.get(word) || 0) + 1);
  }
  const parts = [...counts].map(([word, count]) => `${count} ${word}`);
  return `${plural(row.trials, "trial")}: ${parts.join(", ")}`;
};

const tick = (letter) => el("i", { class: letter === "-" ? "t-missing" : `t-${LETTERS[letter]}` });

// Many trials become one bar with a part for each status, in proportion.
const proportions = (row) => {
  const counts = new Map();
  for (const letter of row.strip) counts.set(letter, (counts.get(letter) || 0) + 1);
  return [..."feun-p"]
    .filter((letter) => counts.has(letter))
    .map((letter) => {
      const part = tick(letter);
      part.style.flexGrow = String(counts.get(letter));
      return part;
    });
};

const strip = (row) => {
  const many = row.strip.length > TICKS;
  const parts = many ? proportions(row) : [...row.strip].map(tick);
  const words = stripWords(row);
  return el("span", { class: many ? "strip many" : "strip", role: "img", "aria-label": words, title: words }, parts);
};
