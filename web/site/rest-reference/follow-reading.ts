/** What is a quarter down the window is being read. */
const LINE = "-25% 0px -74% 0px";

/**
 * Marks in the index what is being read and opens its group; and opens the index itself on narrow screens, where a
 * button discloses it.
 */
export function followReading(root: HTMLElement, signal: AbortSignal): void {
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
      const read = entries.findLast(({ isIntersecting }) => isIntersecting)?.target;
      const link = read && links.get(read.id || (read.querySelector("h2")?.id ?? ""));
      if (link) mark(list, link);
    },
    { rootMargin: LINE },
  );
  for (const part of root.querySelectorAll(".chapter, .call, .shape")) observer.observe(part);
  signal.addEventListener("abort", () => observer.disconnect());
}

function mark(list: HTMLElement, link: HTMLElement): void {
  for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  link.setAttribute("aria-current", "location");
  // While something is searched for, the index shows what was found.
  if (list.hasAttribute("data-searched")) return;
  const group = link.closest("details");
  for (const other of list.querySelectorAll("details")) other.open = other === group;
  const { top, bottom } = list.getBoundingClientRect();
  const place = link.getBoundingClientRect();
  if (place.top < top || place.bottom > bottom) list.scrollTop += place.top - (top + bottom) / 2;
}
