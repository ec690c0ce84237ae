import { AnalyticsConsent } from "#web/site/analytics/analytics-consent.tsx";
import { setConsent } from "#web/site/analytics/analytics.ts";
import { footerGroups } from "./navigation.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { Button } from "#web/ui/button.tsx";

/** Pages with addresses that contain no personal data. */
const publicPages: ReadonlySet<string> = new Set([
  ...[paths.home, paths.register, paths.login].map((path) => path.href()),
  ...footerGroups.flatMap(({ items }) => items.map(({ to }) => to)),
]);
const isPublicPage = (path: string) => publicPages.has(`${path.replace(/\/+$/, "").toLowerCase()}/`);

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
      <AnalyticsConsent
        tagId={tagId}
        isSignedIn={isSignedIn}
        isPublicPage={isPublicPage}
        privacyHref={paths.privacy.href()}
      />
    </>
  );
}
