import {
  type Consent,
  sendPageView,
  setConsent,
  startAnalytics,
  stopAnalytics,
  useConsent,
} from "#web/site/analytics/analytics.ts";
import { footerGroups } from "./navigation.ts";
import { paths, toPagePath } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { useEffect } from "react";
import { Link, useLocation } from "react-router-dom";
import layout from "#web/ui/layout.module.css";
import classes from "#web/site/analytics/analytics-consent.module.css";

/** Pages with addresses that contain no personal data. Others can contain tokens or IDs, which the tag would read. */
const publicPages: ReadonlySet<string> = new Set([
  ...[paths.home, paths.register, paths.login].map((path) => path.href()),
  ...footerGroups.flatMap(({ items }) => items.map(({ to }) => to)),
]);

/** Loads analytics, and shows a button below the footer to change the consent. */
export default function VisitAnalytics({ tagId }: { tagId: string }) {
  const isSignedIn = useSession() !== null;
  return (
    <>
      {!isSignedIn && (
        <div style={{ paddingBottom: "1rem", textAlign: "center" }} data-night data-screen-only>
          <Button variant="subtle" size="xs" onClick={() => setConsent(null)}>
            Analytics settings
          </Button>
        </div>
      )}
      <AnalyticsConsent tagId={tagId} isSignedIn={isSignedIn} />
    </>
  );
}

interface AnalyticsConsentProps {
  tagId: string;
  /** Signed-in users are never counted, so they get no consent request (docs/domain.md#consent). */
  isSignedIn: boolean;
}

/** Requests a visitor's consent to analytics once, and counts page views after they agree. */
function AnalyticsConsent({ tagId, isSignedIn }: AnalyticsConsentProps) {
  const consent = useConsent();
  const { pathname } = useLocation();
  const isCounted = consent === "granted" && !isSignedIn && publicPages.has(toPagePath(pathname));

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
        allow it. <Link to={paths.privacy.href()}>Privacy Policy</Link>
      </p>
      <div className={layout.columns} style={{ gap: "0.625rem" }}>
        <BusyButton variant="default" onPress={choose("refused")}>
          No, thanks
        </BusyButton>
        <BusyButton variant="default" onPress={choose("granted")}>
          Allow analytics
        </BusyButton>
      </div>
    </section>
  );
}
