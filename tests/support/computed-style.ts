/**
 * Replaces `getComputedStyle` of jsdom, which applies all rules of the document to each element. Web tests load no style
 * sheets, so the `style` attributes decide.
 */
export function replaceComputedStyle(): void {
  const compute = window.getComputedStyle.bind(window);
  /** Display of elements without a style, by tag and the attributes that matter. */
  const displays = new Map<string, string>();

  const getDisplay = (element: Element): string => {
    const styled = element.hasAttribute("style") && (element as HTMLElement).style.display;
    if (styled) return styled;
    const attributes = ["hidden", "open", "type"].map((name) => [name, element.getAttribute(name)] as const);
    // An attribute without a value isn't a missing one.
    const key = JSON.stringify([element.tagName, ...attributes]);
    const known = displays.get(key);
    if (known !== undefined) return known;
    const display = probe(element.cloneNode(false) as Element, attributes);
    displays.set(key, display);
    return display;
  };
  /** Returns the display of an element that nothing but these attributes distinguishes from others with its tag. */
  function probe(element: Element, attributes: readonly (readonly [string, string | null])[]): string {
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
    for (const [name, value] of attributes) if (value !== null) element.setAttribute(name, value);
    document.documentElement.append(element);
    const { display } = compute(element);
    element.remove();
    return display;
  }
  const getVisibility = (element: Element | null): string => {
    for (let current = element; current; current = current.parentElement) {
      const styled = current.hasAttribute("style") && (current as HTMLElement).style.visibility;
      if (styled) return styled;
    }
    return "visible";
  };

  window.getComputedStyle = (element) => {
    const getValue = (name: string): string =>
      name === "display"
        ? getDisplay(element)
        : name === "visibility"
          ? getVisibility(element)
          : (element as HTMLElement).style.getPropertyValue(name);
    const get = (_: object, name: string | symbol): unknown => {
      if (name === "display" || name === "visibility") return getValue(name);
      if (name === "getPropertyValue") return getValue;
      const { style } = element as HTMLElement;
      const value: unknown = Reflect.get(style, name, style);
      return typeof value === "function" ? value.bind(style) : value;
    };
    return new Proxy<CSSStyleDeclaration>({} as CSSStyleDeclaration, { get });
  };
}
