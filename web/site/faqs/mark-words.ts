const NAME = "found-words";

/**
 * Marks the words in these elements that begin with one of the words found. The browser paints
 * them; the page stays as it is. Browsers without that ability mark nothing.
 */
export function markWords(found: readonly string[], elements: readonly Element[]): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return;
  const words = found.filter((word) => /^[\p{L}\p{N}]+$/u.test(word));
  if (words.length === 0 || elements.length === 0) {
    CSS.highlights.delete(NAME);
    return;
  }
  const wanted = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "giu");
  const ranges = elements.flatMap(textsIn).flatMap((text) =>
    [...(text.nodeValue ?? "").matchAll(wanted)].map(({ index, 0: { length } }) => {
      const range = new Range();
      range.setStart(text, index);
      range.setEnd(text, index + length);
      return range;
    }),
  );
  CSS.highlights.set(NAME, new Highlight(...ranges));
}

function textsIn(element: Element): Node[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) texts.push(text);
  return texts;
}
