let prerendered: { readonly path: string; readonly html: string } | null = null;

/** Keeps the content of a prerendered page, in case its scripts can't be loaded. Call it before hydration. */
export function keepPrerenderedPage(): void {
  const html = document.getElementById("main")?.innerHTML;
  prerendered = html === undefined ? null : { path: window.location.pathname, html };
}

/** Returns the prerendered content of the current page as HTML, or null if the page wasn't prerendered. */
export function getPrerenderedPage(): string | null {
  return prerendered?.path === window.location.pathname ? prerendered.html : null;
}
