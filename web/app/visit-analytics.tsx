import { lazy, Suspense, useEffect, useState } from "react";
import { analyticsTagId, setConsent } from "#web/features/analytics/analytics.ts";
import { footerColumns } from "./navigation.ts";
import { paths } from "./paths.ts";
import { useSession } from "./session.ts";

const AnalyticsConsent = lazy(() => import("#web/features/analytics/analytics-consent.tsx"));

/** The pages of the footer and the ways in: their addresses hold nothing that is a person's own. */
const publicPages: ReadonlySet<string> = new Set([
  ...[paths.home, paths.register, paths.login].map((path) => path.href()),
  ...footerColumns.flatMap(({ items }) => items.map(({ to }) => to)),
]);
const isPublicPage = (path: string) => publicPages.has(path);

/** Analytics where the server has a tag for it; without one, nothing of it is loaded. */
export function VisitAnalytics() {
  const isSignedIn = useSession() !== null;
  const tagId = useTagId();
  if (!tagId) return null;
  return (
    <Suspense fallback={null}>
      <AnalyticsConsent
        tagId={tagId}
        isSignedIn={isSignedIn}
        isPublicPage={isPublicPage}
        privacyHref={paths.privacy.href()}
      />
    </Suspense>
  );
}

/** Asks a visitor again who has answered; shown where there is something to answer. */
export function AnalyticsChoice({ className }: { className?: string | undefined }) {
  const isSignedIn = useSession() !== null;
  if (!useTagId() || isSignedIn) return null;
  return (
    <button type="button" className={className} onClick={() => setConsent(null)}>
      Analytics Choice
    </button>
  );
}

/** Known after the first paint, which is the same with and without it. */
function useTagId(): string | null {
  const [tagId, setTagId] = useState<string | null>(null);
  useEffect(() => setTagId(analyticsTagId()), []);
  return tagId;
}
