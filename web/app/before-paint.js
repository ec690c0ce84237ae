// Runs before the first paint, inside the page; the build tells its hash, which the policy of the pages names.
(() => {
  // What is folded away can be unfolded again; without scripts it stays open.
  document.documentElement.setAttribute("data-scripted", "");
  let chosen = null;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage can be forbidden; the system's scheme serves then.
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  try {
    // Fetched on an earlier page, so that it is at hand; after-paint.js says so.
    const fonts = document.getElementById("fonts");
    if (fonts && sessionStorage.getItem("xer-portal.fonts")) fonts.media = "all";
    // The page was made for visitors; what is theirs alone stays out of sight until the scripts have taken over.
    if (localStorage.getItem("xer-portal.session")) document.documentElement.setAttribute("data-signed-in", "unseen");
  } catch {
    // As above.
  }
  // What the browser itself brings back into a form may be of somebody who has signed out; drafts do that (ui/form/draft.ts).
  if (["back_forward", "reload"].includes(performance.getEntriesByType("navigation")[0]?.type))
    for (const moment of ["DOMContentLoaded", "pageshow"])
      addEventListener(moment, () => {
        for (const form of document.forms) if (form.method === "post" && !form.hasAttribute("data-ready")) form.reset();
      });
  // What is chosen in a form before its scripts are there is noted, as React would put it back (ui/form/typed-before.ts).
  addEventListener(
    "change",
    ({ target }) => {
      const isBox = target.type === "checkbox";
      if (!target.form || target.form.hasAttribute("data-ready") || !(isBox || target.tagName === "SELECT")) return;
      window.chosenEarly = [...(window.chosenEarly ?? []), [target.name, isBox ? target.checked : target.value]];
    },
    { capture: true },
  );
  // A form sent before its scripts are there stays, and is sent when they are (web/ui/form/typed-before.ts).
  addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      // A search filters the page as soon as its scripts are there; it has nothing to send.
      if (form.method === "get" && isEarly(form)) event.preventDefault();
      if (form.method !== "post" || form.hasAttribute("data-ready")) return;
      event.preventDefault();
      event.stopPropagation();
      form.setAttribute("data-sent-early", "");
    },
    { capture: true },
  );
  // A prerendered page is taken over in two steps: first what surrounds it, then the page itself.
  const isEarly = (element) => {
    const part = element.closest("#main") ? "data-page-ready" : "data-shell-ready";
    return document.getElementById("page-scripts") && !document.documentElement.hasAttribute(part);
  };
  // A button pressed before its scripts are there shows that it is busy, and is pressed again when they are
  // (web/platform/early-input.ts). Once, however often it was pressed: whoever presses again has seen nothing happen.
  addEventListener(
    "click",
    (event) => {
      const button = event.target.closest?.("#root button[type=button]");
      if (!button || !isEarly(button)) return;
      event.preventDefault();
      event.stopPropagation();
      button.setAttribute("aria-busy", "true");
      window.pressedEarly = [...new Set([...(window.pressedEarly ?? []), button])];
    },
    { capture: true },
  );
})();
