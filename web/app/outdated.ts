const RELOADED_KEY = "xer-portal.reloaded-at";
const PAUSE_MS = 30_000;

/** After a new release an open tab may ask for files that are gone; one reload brings the new ones. */
export function reloadOnceWhenOutdated(): void {
  window.addEventListener("vite:preloadError", (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_KEY) ?? 0);
    if (!navigator.onLine || Date.now() - last < PAUSE_MS) return;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
