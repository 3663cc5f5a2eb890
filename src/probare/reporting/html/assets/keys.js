// The keyboard: search, walk the list, read, come back.

const walk = (by) => {
  if (!list.shown.length) return;
  const at = Math.min(list.shown.length - 1, Math.max(0, list.active + by));
  activate(at);
  open(list.shown[at]);
};

const KEYS = {
  "/": () => byId("q").focus(),
  j: () => walk(1),
  k: () => walk(-1),
  "[": () => step(-1),
  "]": () => step(1),
  "?": () => byId("help").showModal(),
};

const IN_LIST = {
  ArrowDown: () => walk(1),
  ArrowUp: () => walk(-1),
  PageDown: () => walk(10),
  PageUp: () => walk(-10),
  Home: () => walk(-list.shown.length),
  End: () => walk(list.shown.length),
  Enter: () => {
    if (list.active < 0) walk(1);
    if (list.active >= 0) open(list.shown[list.active], { focus: true });
  },
};

const escape = (event) => {
  const search = byId("q");
  if (document.activeElement === search) {
    if (search.value) {
      search.value = "";
      search.dispatchEvent(new Event("input"));
    } else byId("list").focus();
  } else if (byId("detail").contains(document.activeElement) || document.body.classList.contains("reading")) {
    leave();
  } else return;
  event.preventDefault();
};

const startKeys = () => {
  byId("keys").addEventListener("click", () => byId("help").showModal());
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.key === "Escape") {
      escape(event);
      return;
    }
    const focused = document.activeElement;
    const typing = focused.matches("input, select, textarea");
    if (event.key === "Enter" && focused === byId("q")) {
      event.preventDefault();
      byId("list").focus();
      if (list.active < 0) walk(1);
      return;
    }
    if (typing) return;
    const inList = focused === byId("list") && IN_LIST[event.key];
    const enter = event.key === "Enter" && focused === document.body && IN_LIST.Enter;
    const action = inList || enter || KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
};
