interface Entry {
  readonly item: HTMLElement;
  readonly link: HTMLAnchorElement;
  /** Its name, method, path and group, in lower case. */
  readonly name: string;
  /** Everything that is said of it, in lower case. */
  readonly text: string;
}

/** Narrows the index to what holds every word typed: those named so, else those whose fields, errors or examples say it. */
export function searchReference(root: HTMLElement, signal: AbortSignal): void {
  const box = root.querySelector<HTMLInputElement>("#reference-search");
  const list = root.querySelector<HTMLElement>(".index-list");
  const status = root.querySelector<HTMLElement>(".found");
  const toggle = root.querySelector<HTMLElement>(".index-toggle");
  if (!box || !list || !status) return;
  let entries: readonly Entry[] | null = null;

  const search = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    // Reading the whole page takes a moment, and only who searches needs it.
    entries ??= entriesOf(root, list);
    const holds = (text: string) => words.every((word) => text.includes(word));
    const named = entries.filter(({ name }) => holds(name));
    const found = new Set(named.length > 0 ? named : entries.filter(({ text }) => holds(text)));
    list.toggleAttribute("data-searched", words.length > 0);
    for (const entry of entries) entry.item.hidden = !found.has(entry);
    for (const part of list.querySelectorAll<HTMLElement>("details, .index-title, :scope > ul"))
      showPart(part, words.length > 0);
    status.textContent = words.length === 0 ? "" : sentenceOf(found.size, named.length > 0);
    if (words.length > 0) toggle?.setAttribute("aria-expanded", "true");
    list.toggleAttribute("data-open", words.length > 0 || toggle?.getAttribute("aria-expanded") === "true");
    return [...found][0];
  };

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
  // Typed before the scripts were there.
  if (box.value) search();
}

function entriesOf(root: HTMLElement, list: HTMLElement): readonly Entry[] {
  return [...list.querySelectorAll("a")].flatMap((link) => {
    const item = link.closest("li");
    const id = link.getAttribute("href")?.slice(1) ?? "";
    const part = root.querySelector<HTMLElement>(`[id="${CSS.escape(id)}"]`);
    const whole = part?.closest<HTMLElement>(".chapter, .call, .shape");
    if (!item || !whole) return [];
    const group = link.closest("details")?.querySelector("summary")?.firstChild?.textContent ?? "";
    const name = [link.textContent, whole.dataset.path, group].join(" ").toLowerCase();
    return [{ item, link, name, text: `${name} ${whole.textContent}`.toLowerCase() }];
  });
}

/** A group is open while it holds something found, and away when it does not. */
function showPart(part: HTMLElement, isSearched: boolean): void {
  if (part instanceof HTMLDetailsElement) {
    const holdsAny = part.querySelector("li:not([hidden])") !== null;
    part.hidden = !holdsAny;
    part.open = isSearched ? holdsAny : part.querySelector("[aria-current]") !== null;
  } else if (part.matches("ul")) part.hidden = part.querySelector("li:not([hidden])") === null;
  else part.hidden = isSearched;
}

function sentenceOf(count: number, isNamed: boolean): string {
  if (count === 0) return "Nothing here holds these words.";
  const what = count === 1 ? "1 found" : `${count} found`;
  return isNamed ? `${what}.` : `${what} in fields and texts.`;
}
