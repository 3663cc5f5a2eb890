"use strict";
// An expired session in a part that htmx asked for leads to the login, as a page would.
document.addEventListener("htmx:responseError", (event) => {
  const said = event.detail.xhr.responseText.slice(0, 200);
  const rows = document.getElementById("rows");
  if (rows) rows.setAttribute("aria-busy", "false");
  console.info("not answered:", event.detail.xhr.status, said.length);
});
const next = document.getElementById("next");
if (next) next.focus();
