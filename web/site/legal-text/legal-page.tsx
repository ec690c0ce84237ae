import { IconPrinter } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { Band } from "#web/ui/public/band.tsx";
import { PageHero } from "#web/ui/public/page-hero.tsx";
import { Button } from "#web/ui/button.tsx";
import { goToPlace, placeOf } from "#web/ui/go-to-place.ts";
import type { Clause } from "./clause-contents.tsx";
import { LegalText } from "./legal-text.tsx";
import classes from "./legal-page.module.css";

/** What a file of `web/content/legals` says besides its clauses. */
export interface LegalContent {
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  readonly updatedLabel: string;
  readonly contents: readonly Clause[];
  readonly summary?: readonly string[];
}

/** A page that is one legal text. */
export function LegalPage({ content, load }: { content: LegalContent; load: () => Promise<string> }) {
  const { hash } = useLocation();
  // Clicks within the page are the browser's; this is for who comes from elsewhere.
  const asked = useRef(hash);
  useEffect(() => {
    const place = placeOf(asked.current);
    return place ? goToPlace(place) : undefined;
  }, []);

  const { id, title, heading, lead, updatedLabel, contents, summary } = content;
  return (
    <>
      <PageHero title={title} heading={heading} lead={lead} actions={<PrintButton />} />
      <Band id="text">
        <LegalText id={id} clauses={contents} updatedLabel={updatedLabel} load={load} {...(summary && { summary })} />
      </Band>
    </>
  );
}

/** Prints the page, which has styles for it. Without scripts it would do nothing, and is not there. */
function PrintButton() {
  return (
    <Button
      variant="default"
      className={classes.print}
      leftSection={<IconPrinter size={18} stroke={1.8} aria-hidden="true" />}
      onClick={() => window.print()}
    >
      Print or save as PDF
    </Button>
  );
}
