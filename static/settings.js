// What the settings do where scripts run: the browser's own zone is offered, a
// new token is copied, and what a form came to is told and found.
"use strict";

(() => {
  const select = one("#zone"), own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const option = [...select.options].find(o => o.value && (o.value === own || (o.dataset.older ?? "").split(" ").includes(own)));
  const offer = () => { one("#own-zone").hidden = !option || select.value === option.value; };
  if (option) {
    one("[data-own-zone]").textContent = option.value;
    one("#use-zone").addEventListener("click", () => { select.value = option.value; offer(); select.focus(); });
    select.addEventListener("change", offer);
    offer();
  }

  // ready prepares what the server drew: after a page as after a part of it.
  function ready(root) {
    const copy = one("#copy-token", root);
    if (copy && navigator.clipboard) {
      copy.hidden = false;
      copy.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(one("#new-token").textContent);
          copy.textContent = "Copied";
          say("The token is copied.");
        } catch { // not allowed: it is marked, to be copied by hand
          getSelection().selectAllChildren(one("#new-token"));
        }
      });
    }
    const wrong = one("[aria-invalid]", root);
    if (wrong) return wrong.focus();
    if (one("#new-token", root)) return one("#new-token", root).focus({ preventScroll: true });
  }
  ready(document);

  on("htmx:before:swap", event => {
    const { ctx, tasks } = event.detail;
    const target = ctx.sourceElement?.closest(".setting");
    const main = tasks.find(task => task.type === "main");
    if (!target || !main || main.fragment.querySelector(`#${target.id}`)) return;
    event.preventDefault(); // signed out meanwhile, say: the page itself tells it
    location.assign("/settings");
  });

  on("htmx:after:swap", event => {
    const section = one(`#${event.detail.ctx.target?.id || "none"}`);
    if (!section?.matches(".setting")) return;
    ready(section);
    const told = one(".line", section) ?? one(".mistake", section);
    if (told) say(told.textContent);
    if (!section.contains(document.activeElement)) one("input:not([type=hidden]), button", section)?.focus({ preventScroll: true });
  });
})();
