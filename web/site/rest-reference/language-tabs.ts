import { browserStorage } from "#web/platform/storage.ts";

/** Storage key of the last chosen language. */
const KEY = "xer-portal.reference-language";

/**
 * Adds behaviour to the language tabs of the examples, following the WAI-ARIA tabs pattern. Choosing a language changes all
 * examples and is remembered.
 */
export function setUpLanguageTabs(root: HTMLElement, signal: AbortSignal): void {
  const tabs = [...root.querySelectorAll<HTMLElement>("[role=tab]")];
  const names = new Set(tabs.map(getLanguage));

  const choose = (language: string) => {
    root.dataset.language = language;
    for (const tab of tabs) {
      const isChosen = getLanguage(tab) === language;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
  };
  /** Chooses a language and keeps the scroll position, because the height of examples above can change. */
  const chooseTab = (tab: HTMLElement) => {
    const before = tab.getBoundingClientRect().top;
    choose(getLanguage(tab));
    const moved = tab.getBoundingClientRect().top - before;
    if (moved) window.scrollBy({ top: moved, behavior: "instant" });
    browserStorage.set(KEY, getLanguage(tab));
  };

  const remembered = browserStorage.get(KEY);
  if (remembered && names.has(remembered)) choose(remembered);

  root.addEventListener(
    "click",
    ({ target }) => {
      const tab = tabAt(target);
      if (tab) chooseTab(tab);
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
      chooseTab(next);
      next.focus({ preventScroll: true });
    },
    { signal },
  );
}

const getLanguage = (tab: HTMLElement): string => tab.dataset.language ?? "";

function tabAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[role=tab]") : null;
}
