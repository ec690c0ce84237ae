// Runs at the end of a prerendered page. Fonts and scripts are fetched after the first paint, so they don't delay it.
(() => {
  const { entry, files } = JSON.parse(document.getElementById("page-scripts").textContent);
  // After a new release, an old page refers to deleted files. It reloads once (web/platform/reload-once.ts). If the browser is offline, it
  // reloads when the connection is back.
  const missed = () => {
    document.documentElement.removeAttribute("data-signed-in");
    if (navigator.onLine === false) return addEventListener("online", () => location.reload(), { once: true });
    const key = "xer-portal.reloaded-for";
    try {
      const reloadedFor = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      if (reloadedFor.includes(entry)) return;
      sessionStorage.setItem(key, JSON.stringify([...reloadedFor, entry]));
    } catch {
      // Without storage, a second reload could not be prevented.
      return;
    }
    location.reload();
  };
  let hasStarted = false;
  const begin = () => {
    if (hasStarted) return;
    // Browsers don't retry a failed script while the page is open, so wait for the connection.
    if (navigator.onLine === false) return addEventListener("online", begin, { once: true });
    hasStarted = true;
    const fonts = document.getElementById("fonts");
    // On a first visit, add the fonts after they are loaded: a page that waits for a font is laid out twice.
    const missing = fonts.media === "all" ? [] : [...(fonts.sheet?.cssRules ?? [])];
    const added = missing.map(async ({ style }) => {
      const family = style.fontFamily.replaceAll('"', "");
      const font = new FontFace(family, style.getPropertyValue("src"), { weight: style.fontWeight });
      document.fonts.add(await font.load());
    });
    window.fontsHere = Promise.all(added)
      .then(() => sessionStorage.setItem("xer-portal.fonts", "here"))
      .catch(() => {
        fonts.media = "all";
      });
    for (const file of files) {
      const link = document.createElement("link");
      link.rel = "modulepreload";
      link.crossOrigin = "";
      link.href = file;
      document.head.append(link);
    }
    const script = document.createElement("script");
    script.type = "module";
    script.crossOrigin = "";
    script.src = entry;
    script.onerror = missed;
    document.head.append(script);
  };
  // Hidden tabs are not painted, and not every browser reports paints.
  setTimeout(begin, 1000);
  try {
    new PerformanceObserver((paints) => {
      if (paints.getEntriesByName("first-contentful-paint").length > 0) begin();
    }).observe({ type: "paint", buffered: true });
  } catch {
    begin();
  }
})();
