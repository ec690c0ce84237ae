import { type ComponentType, lazy, Suspense } from "react";
import { type Session, useSession } from "#web/platform/session.ts";

// Visitors and customers never see it.
const Banner = lazy<ComponentType<{ session: Session }>>(() =>
  // A view must never look like the customer's own portal: where the bar can't be loaded, the bare words stand there.
  import("./view-banner-bar.tsx").catch(() => ({
    default: () => <p role="status">You are viewing the portal as a customer.</p>,
  })),
);

/** Says on every page of a view that it is one, as whom and for how long, and stops it. Nothing for everybody else. */
export function ViewBanner() {
  const session = useSession();
  return session?.isView ? (
    <Suspense fallback={null}>
      <Banner session={session} />
    </Suspense>
  ) : null;
}
