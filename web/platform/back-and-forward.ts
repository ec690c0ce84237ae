type Watcher = (event: PopStateEvent) => void;

let watcher: Watcher | null = null;

// Listeners on the window are called in the order they were added, capturing or not. This one is added before the router's,
// so it is the only way to handle back and forward first.
window.addEventListener("popstate", (event) => watcher?.(event));

/**
 * Calls a watcher on the browser's back and forward, before the router handles them. There is only one watcher at a time.
 * @returns a function that removes the watcher
 */
export function watchBackAndForward(next: Watcher): () => void {
  watcher = next;
  return () => {
    if (watcher === next) watcher = null;
  };
}
