/** Strings, names of fields, and numbers and words of the language: enough for JSON, shell, JavaScript and C#. */
const TOKENS =
  /(?<text>"(?:[^"\\\n]|\\.)*"|`[^`]*`)(?<colon>\s*:)?|(?<name>\b[A-Za-z_$][\w$]*(?=:\s| = ))|(?<value>\b(?:true|false|null|const|await|var|new|\d+(?:\.\d+)?)\b)/g;

const kinds = ["name", "text", "value"] as const;

/**
 * Colours the examples that come into sight. The browser's own highlights (CSS Custom Highlight API) need no element for
 * each word, so the page stays as light as plain text; a browser without them shows plain text.
 */
export function highlightExamples(root: HTMLElement, signal: AbortSignal): void {
  if (typeof IntersectionObserver === "undefined" || typeof Highlight === "undefined") return;
  const [names, texts, values] = kinds.map((kind) => {
    const highlight = new Highlight();
    CSS.highlights.set(`reference-${kind}`, highlight);
    return highlight;
  });
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      const node = target.firstChild;
      if (!(node instanceof Text)) continue;
      for (const found of node.data.matchAll(TOKENS)) {
        const { text, colon, name } = found.groups ?? {};
        const range = new StaticRange({
          startContainer: node,
          startOffset: found.index,
          endContainer: node,
          endOffset: found.index + (text ?? found[0]).length,
        });
        const kind = name || colon ? names : text ? texts : values;
        kind?.add(range);
      }
    }
  });
  for (const example of root.querySelectorAll(".code pre")) observer.observe(example);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    for (const kind of kinds) CSS.highlights.delete(`reference-${kind}`);
  });
}
