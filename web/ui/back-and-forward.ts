type Watcher = (event: PopStateEvent) => void;

let watcher: Watcher | null = null;

// Listeners on the window are called in the order they were added, capturing or not. This one is added before the router's,
// so it is the only way to handle back and forward first.
window.addEventListener("popstate", (event) => watcher?.(event));

/** Calls a watcher on the browser's back and forward before the router does. Returns a function that stops it. Only one at a time. */
export function watchBackAndForward(next: Watcher): () => void {
  watcher = next;
  return () => {
    if (watcher === next) watcher = null;
  };
}
