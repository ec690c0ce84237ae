import "./reference.css";
import "./reference-index.css";
import "./reference-call.css";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { scrollToElement, findElementByHash } from "#web/platform/scroll-to-element.ts";
import { usePageText } from "#web/ui/page-text.tsx";
import { setUpReferenceSearch } from "./search-reference.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { copyText } from "#web/ui/copy-button.tsx";
import content from "content:pages/rest-api";
import { PageHero } from "#web/ui/page-hero.tsx";
import { browserStorage } from "#web/platform/storage.ts";

const TryIt = lazyPart(() => import("./try-it.tsx"), "message", <LoadingBlock label="Loading" />);

/**
 * Long reference page with an index: all calls of `/v1`, or the developer guide. The build generates its HTML from the
 * OpenAPI document or from `docs/` (scripts/content). This component adds search, tabs, copy buttons and panels that
 * send a call.
 */
export function RestReference({ id = "rest-reference", load }: { id?: string; load: () => Promise<string> }) {
  const html = usePageText(id, async () => insertAddress(await load()));
  const root = useRef<HTMLDivElement>(null);
  const [openPanels, setOpenPanels] = useState<readonly HTMLElement[]>([]);

  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const controller = new AbortController();
    copyOnClick(element, controller.signal);
    setUpLanguageTabs(element, controller.signal);
    trackReadingPosition(element, controller.signal);
    setUpReferenceSearch(element, controller.signal);
    highlightExamples(element, controller.signal);
    const onToggle = (event: Event) => {
      if (!(event.target instanceof HTMLDetailsElement) || !event.target.open) return;
      const place = event.target.querySelector<HTMLElement>(".try-place");
      if (place) setOpenPanels((places) => (places.includes(place) ? places : [...places, place]));
    };
    // The toggle event doesn't bubble.
    element.addEventListener("toggle", onToggle, { capture: true, signal: controller.signal });
    return () => controller.abort();
  }, []);

  useEffect(() => {
    const place = findElementByHash(window.location.hash);
    return place ? scrollToElement(place) : undefined;
  }, []);

  return (
    <>
      <div
        ref={root}
        id={id}
        className="reference"
        // eslint-disable-next-line react/no-danger
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {openPanels.map((place) => {
        const call = place.closest<HTMLElement>(".call");
        return call && createPortal(<TryIt call={call} />, place, call.id);
      })}
    </>
  );
}

/** Copies the visible example when its copy button is clicked. */
function copyOnClick(root: HTMLElement, signal: AbortSignal): void {
  root.addEventListener(
    "click",
    ({ target }) => {
      const button = target instanceof Element ? target.closest(".copy") : null;
      const examples = button?.closest(".code")?.querySelectorAll<HTMLElement>("pre") ?? [];
      const shown = [...examples].find((example) => getComputedStyle(example).display !== "none");
      if (shown) void copyText(shown.textContent ?? "", "The example has been copied to the clipboard.");
    },
    { signal },
  );
}

/** In prerendered HTML, the server has already inserted its address. */
const insertAddress = (html: string) =>
  typeof location === "undefined" ? html : html.replaceAll("%PUBLIC_URL%", location.origin);

const load = async () => (await import("content:rest-reference")).default.html;

/** Reference for the `/v1` API. */
export default function RestApiPage() {
  return (
    <>
      <PageHero content={content} />
      <RestReference load={load} />
    </>
  );
}

/** Matches strings, field names, numbers and keywords in JSON, shell, JavaScript and C#. */
const TOKENS =
  /(?<text>@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"|`[^`]*`)(?<colon>\s*:)?|(?<name>\b[A-Za-z_$][\w$]*(?=:\s| = ))|(?<value>\b(?:true|false|null|const|await|var|new|\d+(?:\.\d+)?)\b)/g;

const kinds = ["name", "text", "value"] as const;

/**
 * Highlights the syntax of examples when they become visible. It uses the CSS Custom Highlight API, which needs no extra
 * elements. Browsers without it show plain text.
 */
function highlightExamples(root: HTMLElement, signal: AbortSignal): void {
  if (typeof IntersectionObserver === "undefined" || typeof Highlight === "undefined") return;
  const [names, texts, values] = kinds.map((kind) => {
    const highlight = new Highlight();
    CSS.highlights.set(`reference-${kind}`, highlight);
    return highlight;
  });
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      const node = target.firstChild;
      if (!(node instanceof Text)) continue;
      for (const found of node.data.matchAll(TOKENS)) {
        const { text, colon, name } = found.groups ?? {};
        const range = new StaticRange({
          startContainer: node,
          startOffset: found.index,
          endContainer: node,
          endOffset: found.index + (text ?? found[0]).length,
        });
        const kind = name || colon ? names : text ? texts : values;
        kind?.add(range);
      }
    }
  });
  for (const example of root.querySelectorAll(".code pre")) observer.observe(example);
  signal.addEventListener("abort", () => {
    observer.disconnect();
    for (const kind of kinds) CSS.highlights.delete(`reference-${kind}`);
  });
}

/**
 * Margin that shrinks the intersection area to a line a quarter of the way down the window. The section that crosses it
 * is the current one.
 */
const ROOT_MARGIN = "-25% 0px -74% 0px";

/** Highlights the current section in the index and opens its group. Also handles the button that opens the index on narrow screens. */
function trackReadingPosition(root: HTMLElement, signal: AbortSignal): void {
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

/** Storage key of the last chosen language. */
const KEY = "xer-portal.reference-language";

/**
 * Adds behaviour to the language tabs of the examples, following the WAI-ARIA tabs pattern. Choosing a language changes all
 * examples and is remembered.
 */
function setUpLanguageTabs(root: HTMLElement, signal: AbortSignal): void {
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
