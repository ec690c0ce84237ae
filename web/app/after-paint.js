// Runs at the end of a prerendered page. Fonts and scripts are fetched after the first paint, so they don't delay it.
(() => {
  const { entry, files, isPortal } = JSON.parse(document.getElementById("page-scripts").textContent);
  const hasFrame = document.getElementById("root").firstElementChild !== null;
  let hasStarted = false;
  const addFonts = () => {
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
  };
  const begin = () => {
    if (hasStarted) return;
    // Browsers don't retry a failed script while the page is open, so wait for the connection.
    if (navigator.onLine === false) return addEventListener("online", begin, { once: true });
    hasStarted = true;
    // Scripts and data of a page for signed-in users are needed first. Without a session, the page opens Login and needs only
    // the entry.
    if (!isPortal) addFonts();
    else
      new MutationObserver((_, observer) => {
        const isReady = document.documentElement.hasAttribute("data-page-ready");
        if (!isReady || document.querySelector("#main progress")) return;
        observer.disconnect();
        addFonts();
      }).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ["data-page-ready"] });
    // Those of a page for signed-in users are on their way (before-paint.js).
    for (const file of isPortal ? [] : files) {
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
    document.head.append(script);
  };
  // There is nothing to paint before the scripts run, or they are on their way and the page is of no use without them.
  if (!hasFrame || isPortal) return begin();
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
