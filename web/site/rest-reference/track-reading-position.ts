/**
 * Margin that shrinks the intersection area to a line a quarter of the way down the window. The section that crosses it
 * is the current one.
 */
const ROOT_MARGIN = "-25% 0px -74% 0px";

/** Highlights the current section in the index and opens its group. Also handles the button that opens the index on narrow screens. */
export function trackReadingPosition(root: HTMLElement, signal: AbortSignal): void {
  const list = root.querySelector<HTMLElement>(".index-list");
  const toggle = root.querySelector<HTMLElement>(".index-toggle");
  if (!list || !toggle) return;
  const open = (isOpen: boolean) => {
    toggle.setAttribute("aria-expanded", String(isOpen));
    list.toggleAttribute("data-open", isOpen);
  };
  toggle.addEventListener("click", () => open(toggle.getAttribute("aria-expanded") !== "true"), { signal });
  list.addEventListener(
    "click",
    ({ target }) => {
      if (target instanceof Element && target.closest("a")) open(false);
    },
    { signal },
  );

  if (typeof IntersectionObserver === "undefined") return;
  const links = new Map(
    [...list.querySelectorAll("a")].map((link) => [link.getAttribute("href")?.slice(1) ?? "", link] as const),
  );
  const observer = new IntersectionObserver(
    (entries) => {
      const current = entries.findLast(({ isIntersecting }) => isIntersecting)?.target;
      const link = current && links.get(current.id || (current.querySelector("h2")?.id ?? ""));
      if (link) setCurrent(list, link);
    },
    { rootMargin: ROOT_MARGIN },
  );
  for (const part of root.querySelectorAll(".chapter, .call, .shape")) observer.observe(part);
  signal.addEventListener("abort", () => observer.disconnect());
}

function setCurrent(list: HTMLElement, link: HTMLElement): void {
  for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  link.setAttribute("aria-current", "location");
  // During a search, the index shows the results.
  if (list.hasAttribute("data-searched")) return;
  const group = link.closest("details");
  for (const other of list.querySelectorAll("details")) other.open = other === group;
  const { top, bottom } = list.getBoundingClientRect();
  const position = link.getBoundingClientRect();
  if (position.top < top || position.bottom > bottom) list.scrollTop += position.top - (top + bottom) / 2;
}
