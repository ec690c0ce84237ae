import { IconPrinter } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { Band } from "#web/ui/band.tsx";
import { PageHero, type PageHeroProps } from "#web/ui/page-hero.tsx";
import { Button } from "#web/ui/button.tsx";
import { scrollToElement, findElementByHash } from "#web/platform/scroll-to-element.ts";
import { LegalText, type LegalTextProps } from "./legal-text.tsx";

export function LegalPage({ content, load }: LegalTextProps & Pick<PageHeroProps, "content">) {
  const { hash } = useLocation();
  // Scrolls to the clause in the URL after navigation from another page. The browser handles links within the page.
  const initialHash = useRef(hash);
  useEffect(() => {
    const place = findElementByHash(initialHash.current);
    return place ? scrollToElement(place) : undefined;
  }, []);

  return (
    <>
      <PageHero content={content} actions={<PrintButton />} />
      <Band id="text">
        <LegalText content={content} load={load} />
      </Band>
    </>
  );
}

/** Prints the page with its print styles. CSS hides the button without JavaScript, because it wouldn't work. */
function PrintButton() {
  return (
    <Button
      variant="default"
      data-needs-scripts
      data-screen-only
      leftSection={<IconPrinter size={18} stroke={1.8} aria-hidden="true" />}
      onClick={() => window.print()}
    >
      Print or save as PDF
    </Button>
  );
}
