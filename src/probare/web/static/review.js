"use strict";
(() => {
  const form = document.getElementById("rubric");
  if (!form) return;
  const $ = (id) => document.getElementById(id);
  const item = form.dataset.item;
  const person = form.dataset.person;
  const value = (name) => form.elements[name].value;
  const place = `probare:draft:${person}:${item}:${value("corrects")}`;
  const sets = [...form.querySelectorAll("fieldset.dimension")];
  const scored = sets.filter((set) => set.dataset.dimension);
  const confirmBox = $("confirm");
  const helpBox = $("help");
  let at = 0;
  let history = [];
  let last = filled();
  let dirty = false;
  let saving = false;
  let again = null;
  let wait = 1000;
  let timer = null;
  let sent = false;
  let refused = false; // as it stands the server will not take it: wait for a change

  // --- what is filled in

  function filled() {
    const scores = {};
    const comments = {};
    for (const set of sets) {
      const name = set.dataset.dimension;
      const picked = set.querySelector("input[type=radio]:checked");
      if (picked) scores[name] = picked.value === "unsure" ? "unsure" : Number(picked.value);
      const text = set.querySelector("textarea").value;
      if (text.trim()) comments[name] = text;
    }
    return { scores, comments };
  }

  function fill(state) {
    for (const set of sets) {
      const name = set.dataset.dimension;
      const wanted = state.scores[name];
      for (const radio of set.querySelectorAll("input[type=radio]")) {
        radio.checked = wanted !== undefined && radio.value === String(wanted);
      }
      const area = set.querySelector("textarea");
      area.value = state.comments[name] || "";
      grow(area);
    }
    count();
  }

  function same(one, other) {
    return JSON.stringify(one) === JSON.stringify(other);
  }

  function changed() {
    const now = filled();
    if (same(now, last)) return;
    history.push(last);
    if (history.length > 200) history.shift();
    last = now;
    $("undo").disabled = false;
    touched();
  }

  function undo() {
    const before = history.pop();
    if (!before) return;
    last = before;
    fill(before);
    $("undo").disabled = history.length === 0;
    touched();
  }

  function touched() {
    dirty = true;
    refused = false;
    count();
    keepHere();
    say("not saved yet", "busy");
    clearTimeout(timer);
    timer = setTimeout(save, 500);
  }

  function count() {
    const left = scored.filter((set) => !set.querySelector("input:checked")).length;
    for (const set of scored) {
      set.classList.toggle("given", Boolean(set.querySelector("input:checked")));
    }
    $("left").textContent = left === 0 ? "all scored" : `${left} of ${scored.length} left`;
  }

  // --- drafts: on the server, and here while it cannot be reached

  function keepHere() {
    try {
      localStorage.setItem(place, JSON.stringify({ at: Date.now(), ...filled(),
        rubric: value("rubric"), transcript: value("transcript") }));
    } catch { /* a browser that keeps nothing still saves on the server */ }
  }

  function forgetHere() {
    try { localStorage.removeItem(place); } catch { /* nothing was kept */ }
  }

  function keptHere() {
    try { return JSON.parse(localStorage.getItem(place) || "null"); } catch { return null; }
  }

  function say(words, state) {
    const node = $("saved");
    node.textContent = words;
    node.dataset.state = state;
  }

  function clock(text) {
    const then = new Date(text);
    return then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
  }

  async function ask(address, body) {
    const response = await fetch(address, {
      method: "POST",
      credentials: "same-origin",
      headers: { "content-type": "application/json", accept: "application/json",
        "x-csrf-token": value("csrf") },
      body: JSON.stringify(body),
    });
    let said = {};
    try { said = await response.json(); } catch { /* not ours, or cut off */ }
    if (response.status === 403 && said.why === "form" && (await renewed())) {
      return ask(address, body);
    }
    return { status: response.status, said };
  }

  let renewals = 0;
  async function renewed() {
    if (renewals++ > 3) return false;
    const response = await fetch("/token", { headers: { accept: "application/json" } });
    if (!response.ok) return false;
    const found = await response.json();
    if (found.name !== person || found.csrf === value("csrf")) return false;
    for (const field of document.querySelectorAll("input[name=csrf]")) field.value = found.csrf;
    return true;
  }

  function body() {
    return { ...filled(), rubric: value("rubric"), transcript: value("transcript"),
      meaning: value("meaning"), corrects: value("corrects") || null };
  }

  async function save() {
    clearTimeout(again);
    if (saving || sent || !dirty) return;
    saving = true;
    dirty = false;
    say("saving…", "busy");
    try {
      const { status, said } = await ask(`/items/${item}/draft`, body());
      if (status === 200) {
        wait = 1000;
        if (!dirty) { forgetHere(); say(`saved ${clock(said.saved)}`, "good"); }
        problems(null);
      } else if (status === 401) {
        notSaved("not saved: you are logged out. Log in in another tab; it is kept here");
      } else if (status >= 500) {
        notSaved("not saved: the server failed. It is kept here");
      } else {
        refused = !dirty;
        dirty = true;
        say("not saved", "bad");
        problems(said);
      }
    } catch {
      notSaved("not saved: no connection. It is kept here, and tried again");
    }
    saving = false;
    if (dirty && !refused && !again && wait === 1000) timer = setTimeout(save, 500);
  }

  function notSaved(words) {
    dirty = true;
    keepHere();
    say(words, "bad");
    wait = Math.min(wait * 2, 15000);
    again = setTimeout(() => { again = null; save(); }, wait);
  }

  window.addEventListener("online", () => { wait = 1000; if (dirty) save(); });
  document.addEventListener("visibilitychange", () => { if (!document.hidden && dirty) save(); });
  window.addEventListener("beforeunload", (event) => {
    if (dirty && !sent) { keepHere(); event.preventDefault(); }
  });

  // --- what is wrong

  function problems(said) {
    const box = $("problems");
    box.replaceChildren();
    box.hidden = !said;
    for (const set of sets) set.classList.remove("wrong");
    if (!said) return;
    const head = document.createElement("p");
    head.textContent = said.hint ? `${said.error} (${said.hint})` : said.error || "It was refused.";
    box.append(head);
    const list = document.createElement("ul");
    for (const fault of said.faults || []) {
      const name = fault.path.split(".").slice(1).join(".");
      const set = sets.find((each) => each.dataset.dimension === name);
      const line = document.createElement("li");
      line.textContent = `${set ? set.dataset.name : fault.path}: ${fault.words}`;
      if (set) set.classList.add("wrong");
      list.append(line);
    }
    if (list.children.length) box.append(list);
  }

  // --- submitting, after a last look

  function lookAgain() {
    const state = filled();
    const sum = $("sum");
    sum.replaceChildren();
    const missing = [];
    const opened = [];
    for (const set of scored) {
      const score = state.scores[set.dataset.dimension];
      const line = document.createElement("li");
      const number = document.createElement("strong");
      const name = document.createElement("span");
      number.textContent = score === undefined ? "–" : score === "unsure" ? "?" : String(score);
      const least = set.dataset.least;
      if (score === undefined) { missing.push(set); number.className = "bad"; }
      else if (score === "unsure" || (least !== "" && score < Number(least))) number.className = "bad";
      name.textContent = set.dataset.name;
      line.append(number, name);
      sum.append(line);
      const picked = set.querySelector("input:checked");
      if (picked && picked.dataset.opens) opened.push(`${set.dataset.name}: opens ${picked.dataset.opens}`);
    }
    if (missing.length) {
      problems({ error: `${missing.length} of ${scored.length} dimensions have no score yet.`,
        faults: missing.map((set) => ({ path: `scores.${set.dataset.dimension}`, words: "has no score" })) });
      go(sets.indexOf(missing[0]));
      return;
    }
    problems(null);
    $("warning").hidden = opened.length === 0;
    $("warning").textContent = opened.join("; ");
    confirmBox.showModal();
    $("yes").focus();
  }

  async function submit() {
    if (sent) return;
    sent = true;
    $("yes").disabled = true;
    try {
      const { status, said } = await ask(form.getAttribute("action"), body());
      if (status === 200) {
        dirty = false;
        forgetHere();
        window.location.assign(said.next);
        return;
      }
      problems(status === 401 ? { error: "You are logged out. Log in in another tab, then submit again; what you filled in is kept here." } : said);
    } catch {
      problems({ error: "No connection: nothing was submitted. What you filled in is kept; submit again." });
      dirty = true;
      notSaved("not saved: no connection. It is kept here, and tried again");
    }
    sent = false;
    $("yes").disabled = false;
    confirmBox.close();
  }

  // --- where one is

  function go(number, quietly) {
    at = Math.max(0, Math.min(sets.length - 1, number));
    for (const [index, set] of sets.entries()) set.classList.toggle("here", index === at);
    sets[at].classList.remove("folded");
    if (!quietly) {
      // Only the keyboard folds what is scored: under a mouse, nothing moves.
      for (const [index, set] of sets.entries()) {
        set.classList.toggle("folded", index !== at && set.classList.contains("given"));
      }
      sets[at].focus({ preventScroll: true });
      sets[at].scrollIntoView({ block: "nearest" });
    }
  }

  function grow(area) {
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, 400)}px`;
  }

  function pick(text) {
    const set = sets[at];
    const radio = [...set.querySelectorAll("input[type=radio]")].find((each) => each.value === text);
    if (!radio) return;
    radio.checked = true;
    changed();
    go(at + 1);
  }

  const KEYS = {
    j: () => go(at + 1), ArrowDown: () => go(at + 1),
    k: () => go(at - 1), ArrowUp: () => go(at - 1),
    u: () => pick("unsure"), z: undo,
    c: () => sets[at].querySelector("textarea").focus(),
    s: () => $("skip-button").click(),
    "?": () => helpBox.showModal(),
    Enter: lookAgain,
  };

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey || event.metaKey) return;
    const target = event.target;
    if (target.matches("textarea, input:not([type=radio]), select")) {
      if (event.key === "Escape" || (event.key === "Enter" && event.ctrlKey)) {
        event.preventDefault();
        go(at);
      }
      return;
    }
    if (event.ctrlKey || confirmBox.open || helpBox.open) return;
    if (event.key === "Enter" && target.matches("a, button, summary")) return;
    const act = /^[0-9]$/.test(event.key) ? () => pick(event.key) : KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  // Every change goes through here, by key, mouse or touch.
  form.addEventListener("input", (event) => {
    if (event.target.matches("textarea")) grow(event.target);
    changed();
  });
  form.addEventListener("focusin", (event) => {
    const set = event.target.closest("fieldset.dimension");
    if (set) go(sets.indexOf(set), true);
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); lookAgain(); });
  $("skip").addEventListener("submit", () => { if (dirty) { keepHere(); } sent = true; });
  $("undo").addEventListener("click", undo);
  $("help-button").addEventListener("click", () => helpBox.showModal());
  $("help-close").addEventListener("click", () => helpBox.close());
  $("yes").addEventListener("click", submit);
  $("no").addEventListener("click", () => confirmBox.close());
  confirmBox.addEventListener("close", () => go(at));
  helpBox.addEventListener("close", () => go(at));

  const kept = keptHere();
  const saved = form.dataset.saved ? Date.parse(form.dataset.saved) : 0;
  if (kept && kept.at > saved && kept.rubric === value("rubric") && kept.transcript === value("transcript")) {
    history.push(last);
    fill(kept);
    last = filled();
    $("undo").disabled = false;
    dirty = true;
    say("what was not saved is here again", "busy");
    save();
  }
  for (const area of form.querySelectorAll("textarea")) grow(area);
  count();
  const open = scored.findIndex((set) => !set.querySelector("input:checked"));
  go(open < 0 ? 0 : open, window.innerWidth < 900);
})();
