/** The language that was chosen last, in this browser. */
const KEY = "xer-portal.reference-language";

/**
 * Tabs over the examples, after the WAI-ARIA pattern: one stop for Tab, arrow keys, Home and End choose. A language is
 * chosen for all examples at once and remembered.
 */
export function chooseLanguages(root: HTMLElement, signal: AbortSignal): void {
  const tabs = [...root.querySelectorAll<HTMLElement>("[role=tab]")];
  const names = new Set(tabs.map(languageOf));

  const choose = (language: string) => {
    root.dataset.language = language;
    for (const tab of tabs) {
      const isChosen = languageOf(tab) === language;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
  };
  /** Examples above grow and shrink as well; what the person looks at stays where it is. */
  const chooseAt = (tab: HTMLElement) => {
    const before = tab.getBoundingClientRect().top;
    choose(languageOf(tab));
    const moved = tab.getBoundingClientRect().top - before;
    if (moved) window.scrollBy({ top: moved, behavior: "instant" });
    remember(languageOf(tab));
  };

  const remembered = recall();
  if (remembered && names.has(remembered)) choose(remembered);

  root.addEventListener(
    "click",
    ({ target }) => {
      const tab = tabAt(target);
      if (tab) chooseAt(tab);
    },
    { signal },
  );
  root.addEventListener(
    "keydown",
    (event) => {
      const tab = tabAt(event.target);
      if (!tab) return;
      const row = [...(tab.parentElement?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
      const at = row.indexOf(tab);
      const places: Record<string, number> = {
        ArrowRight: (at + 1) % row.length,
        ArrowLeft: (at - 1 + row.length) % row.length,
        Home: 0,
        End: row.length - 1,
      };
      const next = row[places[event.key] ?? -1];
      if (!next) return;
      event.preventDefault();
      chooseAt(next);
      next.focus({ preventScroll: true });
    },
    { signal },
  );
}

const languageOf = (tab: HTMLElement): string => tab.dataset.language ?? "";

function tabAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[role=tab]") : null;
}

function remember(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage can be forbidden; the page forgets then.
  }
}

function recall(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
