import { formatCount } from "#schema/numbers.ts";

/** A section in the index. */
interface Entry {
  readonly item: HTMLElement;
  readonly link: HTMLAnchorElement;
  /** Name, method, path and group, in lower case. */
  readonly name: string;
  /** Full text of the section, in lower case. */
  readonly text: string;
}

/**
 * Filters the index. Shows entries with all search words in their names or, if there are none, in their full text, and
 * otherwise those with similar words.
 */
export function setUpReferenceSearch(root: HTMLElement, signal: AbortSignal): void {
  const box = root.querySelector<HTMLInputElement>("#reference-search");
  const list = root.querySelector<HTMLElement>(".index-list");
  const status = root.querySelector<HTMLElement>(".found");
  const toggle = root.querySelector<HTMLElement>(".index-toggle");
  if (!box || !list || !status) return;
  let entries: readonly Entry[] | null = null;
  let findSimilar: ((query: string) => readonly Entry[]) | null = null;

  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    // Only reads the page when the user searches, because it takes a moment.
    entries ??= readEntries(root, list);
    const matches = (text: string) => words.every((word) => text.includes(word));
    const named = entries.filter(({ name }) => matches(name));
    const exact = named.length > 0 ? named : entries.filter(({ text }) => matches(text));
    const found = new Set(exact.length > 0 ? exact : findSimilar?.(box.value));
    if (exact.length === 0 && !findSimilar) void prepareSimilar(entries);
    list.toggleAttribute("data-searched", words.length > 0);
    for (const entry of entries) entry.item.hidden = !found.has(entry);
    for (const part of list.querySelectorAll<HTMLElement>("details, .index-title, :scope > ul"))
      updateVisibility(part, words.length > 0);
    status.textContent =
      words.length === 0
        ? ""
        : describeResult(
            found.size,
            named.length > 0 ? "" : exact.length > 0 ? " in fields and descriptions" : " with similar words",
          );
    if (words.length > 0) toggle?.setAttribute("aria-expanded", "true");
    list.toggleAttribute("data-open", words.length > 0 || toggle?.getAttribute("aria-expanded") === "true");
    return [...found][0];
  };

  async function prepareSimilar(all: readonly Entry[]) {
    const { indexSimilar } = await import("./index-similar.ts");
    findSimilar = indexSimilar(all);
    if (!signal.aborted) search();
  }

  box.addEventListener("input", () => void search(), { signal });
  box.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter" && box.value.trim()) {
        event.preventDefault();
        search()?.link.click();
      }
      if (event.key !== "Escape" || !box.value) return;
      box.value = "";
      search();
    },
    { signal },
  );
  // The user may have typed before hydration.
  if (box.value) search();
}

function readEntries(root: HTMLElement, list: HTMLElement): readonly Entry[] {
  return [...list.querySelectorAll("a")].flatMap((link) => {
    const item = link.closest("li");
    const [page, id = ""] = (link.getAttribute("href") ?? "").split("#");
    // Another page can have a section with the same id.
    const part = page ? null : root.querySelector<HTMLElement>(`[id="${CSS.escape(id)}"]`);
    const whole = part?.closest<HTMLElement>(".chapter, .call, .shape");
    if (!item || (!whole && !page)) return [];
    const group = link.closest("details")?.querySelector("summary")?.firstChild?.textContent ?? "";
    const name = [link.textContent, whole?.dataset.path, group].join(" ").toLowerCase();
    // A section of another page has only its identifiers here.
    if (!whole) return [{ item, link, name, text: `${name} ${link.dataset.words ?? ""}`.toLowerCase() }];
    return [{ item, link, name, text: `${name} ${whole.textContent}`.toLowerCase() }];
  });
}

/** Opens groups with results and hides those without. */
function updateVisibility(part: HTMLElement, isSearched: boolean): void {
  if (part instanceof HTMLDetailsElement) {
    const hasResults = part.querySelector("li:not([hidden])") !== null;
    part.hidden = !hasResults;
    part.open = isSearched ? hasResults : part.querySelector("[aria-current]") !== null;
  } else if (part.matches("ul")) part.hidden = part.querySelector("li:not([hidden])") === null;
  else part.hidden = isSearched;
}

function describeResult(count: number, where: string): string {
  return count === 0 ? "No results" : formatCount(count, "result") + where;
}
