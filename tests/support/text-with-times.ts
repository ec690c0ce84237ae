/** Returns a matcher for `getByText` that reads an element's own text together with the moments in it (`<time>`). */
export function textWithTimes(expected: string | RegExp): (content: string, element: Element | null) => boolean {
  return (_content, element) => {
    if (!element || element.localName === "time") return false;
    const parts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE || (node as Element).localName === "time",
    );
    const written = parts.map((node) => node.textContent).join("");
    const text = written.replace(/\s+/g, " ").trim();
    return typeof expected === "string" ? text === expected : expected.test(text);
  };
}
