import { useEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import { Button } from "#web/ui/button.tsx";
import { type Consent, sendPageView, setConsent, startAnalytics, stopAnalytics, useConsent } from "./analytics.ts";
import classes from "./analytics-consent.module.css";

export interface AnalyticsConsentProps {
  tagId: string;
  /** The signed-in are neither asked nor counted (docs/domain.md#consent). */
  isSignedIn: boolean;
  /** Pages that may be told of; others carry ids of persons in their address. */
  isPublicPage: (path: string) => boolean;
  privacyHref: string;
}

/** Asks visitors once whether their visit may be counted, and counts the pages of those who agreed. */
export function AnalyticsConsent({ tagId, isSignedIn, isPublicPage, privacyHref }: AnalyticsConsentProps) {
  const consent = useConsent();
  const { pathname } = useLocation();
  // On other pages the tag would read an address with a token or an id in it.
  const isCounted = consent === "granted" && !isSignedIn && isPublicPage(pathname);

  useEffect(() => {
    if (!isCounted) return stopAnalytics(tagId);
    startAnalytics(tagId, pathname);
    sendPageView(pathname);
  }, [isCounted, pathname, tagId]);

  if (isSignedIn || consent !== null) return null;
  const answer = (given: Consent) => () => setConsent(given);
  return (
    <section className={classes.panel} aria-label="Analytics">
      <p>
        May we count this visit? It helps us to see which pages are read. Nothing is loaded or stored for it unless you
        allow it. <Link to={privacyHref}>Privacy Policy</Link>
      </p>
      <div className={classes.answers}>
        <Button variant="default" onClick={answer("refused")}>
          No, Thank You
        </Button>
        <Button variant="default" onClick={answer("granted")}>
          Allow Analytics
        </Button>
      </div>
    </section>
  );
}
