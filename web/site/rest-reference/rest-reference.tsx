import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { scrollToElement, findElementByHash } from "#web/platform/scroll-to-element.ts";
import { usePageText } from "#web/ui/page-text.tsx";
import { trackReadingPosition } from "./track-reading-position.ts";
import { highlightExamples } from "./highlight-examples.ts";
import { setUpLanguageTabs } from "./language-tabs.ts";
import { setUpReferenceSearch } from "./search-reference.ts";
import "./reference.css";
import "./reference-index.css";
import "./reference-call.css";
import "./reference-code.css";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { copyText } from "#web/ui/copy-button.tsx";
import content from "content:pages/rest-api";
import { PageHero } from "#web/ui/page-hero.tsx";

const TryIt = lazyPart(() => import("./try-it.tsx"), "message", <LoadingBlock label="Loading" />);

/**
 * Long reference page with an index: all calls of `/v1`, or the developer guide. The build generates its HTML from the
 * OpenAPI document or from `docs/` (scripts/content). This component adds search, tabs, copy buttons and panels that
 * send a call.
 */
export function RestReference({ id = "rest-reference", load }: { id?: string; load: () => Promise<string> }) {
  const html = usePageText(id, load);
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

async function load() {
  const { html } = (await import("content:rest-reference")).default;
  // In prerendered HTML, the server has already inserted its address.
  return typeof location === "undefined" ? html : html.replaceAll("%PUBLIC_URL%", location.origin);
}

/** Reference for the `/v1` API. */
export default function RestApiPage() {
  const { title, heading, lead } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} />
      <RestReference load={load} />
    </>
  );
}
