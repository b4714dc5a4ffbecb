"use strict";
// Keys for those who want them; every action is also a link or a button of the page.
(() => {
  const first = (selector, root = document) => root.querySelector(selector);
  const press = (name) => {
    const found = first(`[data-key="${name}"]`);
    if (found) found.click();
    return Boolean(found);
  };
  const open = (name, field) => {
    const box = first(`details[data-key="${name}"]`);
    if (!box) return;
    box.open = true;
    const target = first(field, box);
    target.focus();
    target.scrollIntoView({ block: "center" });
  };
  const move = (step) => {
    const rows = [...document.querySelectorAll("[data-row]")];
    if (!rows.length) return press(step > 0 ? "next" : "previous");
    const next = rows.indexOf(document.activeElement) + step;
    if (next >= rows.length) return follow("next");
    if (next < 0) return document.activeElement.matches("[data-row]") && follow("prev");
    rows[next].focus();
    return true;
  };
  const follow = (rel) => {
    const link = first(`a[rel="${rel}"]`);
    if (link) link.click();
    return Boolean(link);
  };
  const label = (digit) => {
    const here = document.activeElement.closest("[data-answer]");
    const answer = here || first("[data-answer]:not([data-labelled])") || first("[data-answer]");
    const button = answer && first(`[data-digit="${digit}"]`, answer);
    if (button) button.click();
  };
  const help = () => {
    const box = document.getElementById("keys");
    if (box.open) box.close();
    else box.showModal();
  };
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    a: () => press("accept"),
    r: () => open("reject", "select"),
    e: () => open("edit", "textarea"),
    u: () => press("undo") || press("undo-last"),
    "/": () => { const field = first('[data-key="filter"]'); if (field) field.focus(); else window.location.assign("/"); },
    "?": help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const writing = event.target.closest("input, textarea, select");
    if (event.key === "Escape" && writing) { writing.blur(); return; }
    if (writing && writing.type !== "checkbox") return;
    const act = /^[1-6]$/.test(event.key) ? () => label(event.key) : keys[event.key];
    if (!act || event.repeat) return;
    event.preventDefault();
    act();
  });
  document.querySelectorAll('a[data-key="help"]').forEach((link) => link.addEventListener("click", (event) => {
    event.preventDefault();
    help();
  }));
})();
