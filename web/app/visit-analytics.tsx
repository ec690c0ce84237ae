import { AnalyticsConsent } from "#web/site/analytics/analytics-consent.tsx";
import { setConsent } from "#web/site/analytics/analytics.ts";
import { footerColumns } from "./navigation.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import classes from "./visit-analytics.module.css";

/** The pages of the footer and the ways in: their addresses hold nothing that is a person's own. */
const publicPages: ReadonlySet<string> = new Set([
  ...[paths.home, paths.register, paths.login].map((path) => path.href()),
  ...footerColumns.flatMap(({ items }) => items.map(({ to }) => to)),
]);
const isPublicPage = (path: string) => publicPages.has(`${path.replace(/\/+$/, "").toLowerCase()}/`);

/** Analytics where the server has a tag for it, and the way to answer again; stands under the footer. */
export default function VisitAnalytics({ tagId }: { tagId: string }) {
  const isSignedIn = useSession() !== null;
  return (
    <>
      {!isSignedIn && (
        <div className={classes.again}>
          <button type="button" onClick={() => setConsent(null)}>
            Analytics Choice
          </button>
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
