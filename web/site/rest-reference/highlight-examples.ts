/** Matches strings, field names, numbers and keywords in JSON, shell, JavaScript and C#. */
const TOKENS =
  /(?<text>@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"|`[^`]*`)(?<colon>\s*:)?|(?<name>\b[A-Za-z_$][\w$]*(?=:\s| = ))|(?<value>\b(?:true|false|null|const|await|var|new|\d+(?:\.\d+)?)\b)/g;

const kinds = ["name", "text", "value"] as const;

/**
 * Highlights the syntax of examples when they become visible. It uses the CSS Custom Highlight API, which needs no extra
 * elements. Browsers without it show plain text.
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
