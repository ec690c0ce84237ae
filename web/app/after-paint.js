// Runs at the end of a prerendered page: its font and its scripts are fetched once it can be read, so that nothing waits for them.
(() => {
  const { entry, files } = JSON.parse(document.getElementById("page-scripts").textContent);
  // After a new release an old page names files that are gone: one reload brings the new ones (outdated.ts). Offline, the
  // page stays as it is, and is reloaded once the connection is back.
  const missed = () => {
    document.documentElement.removeAttribute("data-signed-in");
    if (navigator.onLine === false) return addEventListener("online", () => location.reload(), { once: true });
    const key = "xer-portal.reloaded-for";
    try {
      const reloadedFor = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      if (reloadedFor.includes(entry)) return;
      sessionStorage.setItem(key, JSON.stringify([...reloadedFor, entry]));
    } catch {
      // Without storage the tab could not tell that it has been reloaded.
      return;
    }
    location.reload();
  };
  let hasBegun = false;
  const begin = () => {
    if (hasBegun) return;
    // A script that failed once is not fetched again as long as the page is open, so it waits for the connection.
    if (navigator.onLine === false) return addEventListener("online", begin, { once: true });
    hasBegun = true;
    const fonts = document.getElementById("fonts");
    // Those of a first visit are added when they are there: a page that knows of a font it waits for is laid out twice.
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
  // A page in a hidden tab is not painted, and not every browser tells.
  setTimeout(begin, 1000);
  try {
    new PerformanceObserver((paints) => {
      if (paints.getEntriesByName("first-contentful-paint").length > 0) begin();
    }).observe({ type: "paint", buffered: true });
  } catch {
    begin();
  }
})();
