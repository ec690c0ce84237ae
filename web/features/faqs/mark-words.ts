const NAME = "found-words";

/**
 * Marks the words in these elements that begin as the words of the query do. The browser paints them; the page itself
 * stays as it is. Browsers without that ability mark nothing.
 */
export function markWords(query: string, elements: readonly Element[]): void {
  if (typeof Highlight === "undefined" || !CSS.highlights) return;
  const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
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
