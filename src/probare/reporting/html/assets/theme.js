// Dark and light: the system's wish, or the reader's. Remembering is a courtesy: where a browser
// refuses storage (files, private windows), the choice lasts as long as the page.

const remembered = () => {
  try {
    return localStorage.getItem("probare-theme");
  } catch {
    return null;
  }
};

const remember = (theme) => {
  try {
    localStorage.setItem("probare-theme", theme);
  } catch {
    // nothing is lost but the memory of it
  }
};

const startTheme = () => {
  const button = byId("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const current = () =>
    document.documentElement.dataset.theme || (dark.matches ? "dark" : "light");
  const show = () => {
    const other = current() === "dark" ? "light" : "dark";
    button.textContent = other === "dark" ? "Dark" : "Light";
    button.setAttribute("aria-label", `Change to ${other} colours`);
  };
  const kept = remembered();
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = current() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    remember(next);
    show();
  });
  dark.addEventListener("change", show);
  show();
};
