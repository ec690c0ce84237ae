import { useEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import { Button } from "#web/ui/button.tsx";
import { type Consent, sendPageView, setConsent, startAnalytics, stopAnalytics, useConsent } from "./analytics.ts";
import layout from "#web/ui/layout.module.css";
import classes from "./analytics-consent.module.css";

export interface AnalyticsConsentProps {
  tagId: string;
  /** Signed-in users are never counted, so they get no consent request (docs/domain.md#consent). */
  isSignedIn: boolean;
  /** Returns whether a path may be sent to analytics. Other paths can contain IDs of users. */
  isPublicPage: (path: string) => boolean;
  privacyHref: string;
}

/** Requests a visitor's consent to analytics once, and counts page views after they agree. */
export function AnalyticsConsent({ tagId, isSignedIn, isPublicPage, privacyHref }: AnalyticsConsentProps) {
  const consent = useConsent();
  const { pathname } = useLocation();
  // The addresses of other pages can contain tokens or IDs, which the tag would read.
  const isCounted = consent === "granted" && !isSignedIn && isPublicPage(pathname);

  useEffect(() => {
    if (!isCounted) return stopAnalytics(tagId);
    startAnalytics(tagId, pathname);
    sendPageView(pathname);
  }, [isCounted, pathname, tagId]);

  if (isSignedIn || consent !== null) return null;
  const choose = (given: Consent) => () => setConsent(given);
  return (
    <section className={`${layout.card} ${classes.panel}`} data-screen-only aria-label="Analytics">
      <p>
        May we use analytics to count this visit? It shows us which pages are read. Analytics isn't loaded unless you
        allow it. <Link to={privacyHref}>Privacy Policy</Link>
      </p>
      <div className={layout.columns}>
        <Button variant="default" onClick={choose("refused")}>
          No, thanks
        </Button>
        <Button variant="default" onClick={choose("granted")}>
          Allow analytics
        </Button>
      </div>
    </section>
  );
}
