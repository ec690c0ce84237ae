type Watcher = (event: PopStateEvent) => void;

let watcher: Watcher | null = null;

// Listeners on the window are called in the order they were added, capturing or not: this one, loaded before the router
// stands, is the only way to hear of back and forward before the router does.
window.addEventListener("popstate", (event) => watcher?.(event));

/** Hears of the browser's back and forward before the router; answers how to stop. One at a time. */
export function watchBackAndForward(next: Watcher): () => void {
  watcher = next;
  return () => {
    if (watcher === next) watcher = null;
  };
}
