// Runs before the first paint, inline. The build adds its hash to the content security policy.
(() => {
  // Scripts can't add scripts, frames or event handlers as HTML, or load scripts of other hosts (Trusted Types).
  const hosts = /^https:\/\/(([\w-]+\.)?js\.stripe\.com|www\.googletagmanager\.com)$/;
  window.trustedTypes?.createPolicy("default", {
    createHTML: (html) => (/<(script|iframe)|<[^>]*\son\w+\s*=/i.test(html) ? null : html),
    createScriptURL(url) {
      const { origin } = new URL(url, location.href);
      return origin === location.origin || hosts.test(origin) ? url : null;
    },
  });
  // Collapsed content stays open without scripts.
  document.documentElement.setAttribute("data-scripted", "");
  let chosen = null;
  try {
    chosen = localStorage.getItem("mantine-color-scheme-value");
  } catch {
    // Storage may be blocked. The system's colour scheme applies then.
  }
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  try {
    // The fonts were fetched on an earlier page (after-paint.js).
    const fonts = document.getElementById("fonts");
    if (fonts && sessionStorage.getItem("xer-portal.fonts")) fonts.media = "all";
    // The page was prerendered for visitors. Content for visitors only stays hidden until hydration.
    if (localStorage.getItem("xer-portal.session")) document.documentElement.setAttribute("data-signed-in", "unseen");
  } catch {
    // Storage may be blocked.
  }
  // A page for signed-in users can't be used without its scripts. On a slow line, they arrive sooner if they are requested while
  // the HTML arrives. Others follow the first paint (after-paint.js).
  try {
    const { entry, files, isPortal } = JSON.parse(document.getElementById("page-scripts")?.textContent ?? "{}");
    const hasFrame = localStorage.getItem("xer-portal.session") && sessionStorage.getItem("xer-portal.view") === null;
    for (const href of isPortal && hasFrame && navigator.onLine !== false ? [...files, entry] : []) {
      const link = document.createElement("link");
      document.head.append(Object.assign(link, { rel: "modulepreload", crossOrigin: "", href }));
    }
  } catch {
    // Storage may be blocked.
  }
  const isPrerendered = () => document.getElementById("page-scripts") !== null;
  const hasStarted = () =>
    isPrerendered()
      ? document.documentElement.hasAttribute("data-taken-over")
      : document.getElementById("root")?.firstElementChild;
  // The page's scripts may be missing or never arrive. Say so until they run.
  const offerReload = (text) => {
    if (document.getElementById("reload-notice") || hasStarted()) return;
    const notice = document.createElement("div");
    notice.id = "reload-notice";
    notice.setAttribute("role", "alert");
    // Above the bar of the served frame, which stays at the top of the window.
    notice.style.cssText =
      "position: relative; z-index: 1000; padding: 1rem; background: #fdf1d6; color: #7a4b00; font: 1rem/1.6 system-ui, sans-serif";
    const button = document.createElement("button");
    button.textContent = "Reload";
    button.addEventListener("click", () => location.reload());
    notice.append(`${text} `, button);
    document.body.prepend(notice);
    const timer = setInterval(() => {
      if (!hasStarted()) return;
      notice.remove();
      clearInterval(timer);
    }, 250);
  };
  // After a new release, an old page refers to deleted files. It reloads once (web/platform/reload-once.ts). If the browser
  // is offline, it reloads when the connection is back.
  const reloadOnce = (entry) => {
    if (navigator.onLine === false) return addEventListener("online", () => location.reload(), { once: true });
    const key = "xer-portal.reloaded-for";
    try {
      const reloadedFor = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      if (reloadedFor.includes(entry)) return;
      sessionStorage.setItem(key, JSON.stringify([...reloadedFor, entry]));
      location.reload();
    } catch {
      // Without storage, a second reload could not be prevented.
    }
  };
  addEventListener(
    "error",
    ({ target }) => {
      if (target.localName !== "script" || target.type !== "module") return;
      document.documentElement.removeAttribute("data-signed-in");
      offerReload(
        "Parts of this page didn't load, so it may not work. Check your connection, or try again in a minute.",
      );
      reloadOnce(new URL(target.src).pathname);
    },
    { capture: true },
  );
  const SLOW_MS = 12_000;
  setTimeout(() => {
    // A stylesheet that never arrives would keep the page blank and its scripts waiting. Apply it once it is there.
    for (const link of document.querySelectorAll("link[rel=stylesheet]:not([media])")) {
      if (link.sheet) continue;
      link.media = "print";
      link.addEventListener("load", () => link.removeAttribute("media"));
    }
    offerReload("This page is taking longer than usual to load.");
  }, SLOW_MS);
  // The browser may restore input of a user who has signed out. Drafts restore input instead (web/platform/draft.ts).
  if (["back_forward", "reload"].includes(performance.getEntriesByType("navigation")[0]?.type))
    for (const moment of ["DOMContentLoaded", "pageshow"])
      addEventListener(moment, () => {
        // What the user has typed meanwhile stays. Choices are in `chosenEarly`.
        const typed = [...(window.typedEarly?.keys() ?? [])].map((field) => [field, field.value]);
        for (const form of document.forms) if (form.method === "post" && !form.hasAttribute("data-ready")) form.reset();
        for (const [field, value] of typed) field.value = value;
      });
  // Record choices made before hydration, because React would reset them (web/ui/form/early-input.ts).
  addEventListener(
    "change",
    ({ target }) => {
      const isBox = target.type === "checkbox";
      if (!target.form || target.form.hasAttribute("data-ready") || !(isBox || target.tagName === "SELECT")) return;
      window.chosenEarly = [...(window.chosenEarly ?? []), [target.name, isBox ? target.checked : target.value]];
    },
    { capture: true },
  );
  // Record fields with text from before hydration. React replaces them if a translation or an extension has changed the page
  // (web/platform/early-input.ts).
  addEventListener(
    "input",
    ({ target }) => {
      if (!isEarly(target) || window.typedEarly?.has(target)) return;
      const fields = [...document.querySelectorAll("#root :is(input, textarea)")];
      window.typedEarly = (window.typedEarly ?? new Map()).set(target, fields.indexOf(target));
    },
    { capture: true },
  );
  // Delay a form submitted before hydration until it is ready (web/ui/form/early-input.ts).
  addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      // A search form filters the page after hydration and has nothing to send.
      if (form.method === "get" && isEarly(form)) event.preventDefault();
      if (form.method !== "post" || form.hasAttribute("data-ready")) return;
      event.preventDefault();
      event.stopPropagation();
      form.setAttribute("data-sent-early", "");
    },
    { capture: true },
  );
  // A prerendered page is hydrated in two steps: first the shell, then the page itself.
  const isEarly = (element) => {
    const part = element.closest("#main") ? "data-page-ready" : "data-shell-ready";
    return isPrerendered() && !document.documentElement.hasAttribute(part);
  };
  // Show a button pressed before hydration as busy and click it afterwards (web/platform/early-input.ts).
  // Click it only once, because users press again when nothing happens.
  addEventListener(
    "click",
    (event) => {
      const pressed = event.target.closest?.("#root :is(button[type=button], a[href])");
      if (!pressed || !isEarly(pressed)) return;
      const earlier = window.pressedEarly ?? [];
      // A link waits for the buttons pressed before it, which may change where it leads. If pressed again, it doesn't wait.
      if (
        pressed.localName === "a" &&
        (earlier.length === 0 || earlier.includes(pressed) || event.ctrlKey || event.metaKey)
      )
        return;
      event.preventDefault();
      event.stopPropagation();
      pressed.setAttribute("aria-busy", "true");
      window.pressedEarly = [...new Set([...earlier, pressed])];
    },
    { capture: true },
  );
})();
