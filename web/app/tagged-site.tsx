import { Suspense, useEffect, useState } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const VisitAnalytics = lazyPart(() => import("./visit-analytics.tsx"), "nothing");

/** Analytics where the server names a tag in the page's head; without one, nothing of it is loaded (decision 0046). */
export function TaggedSite() {
  const [tagId, setTagId] = useState<string | null>(null);
  // Known after the first paint, which is the same with and without a tag.
  useEffect(() => {
    setTagId(document.querySelector('meta[name="analytics-tag"]')?.getAttribute("content") ?? null);
  }, []);
  if (!tagId) return null;
  return (
    <Suspense fallback={null}>
      <VisitAnalytics tagId={tagId} />
    </Suspense>
  );
}
