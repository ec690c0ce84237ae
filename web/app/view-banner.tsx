import { type ComponentType, lazy, Suspense } from "react";
import { type Session, useSession } from "#web/platform/session.ts";

// Only admins who view the portal as a customer load it.
const Banner = lazy<ComponentType<{ session: Session }>>(() =>
  // A view must never look like the customer's own portal, so plain text replaces a banner that can't be loaded.
  import("./view-banner-bar.tsx").catch(() => ({
    default: () => <p role="status">You are viewing the portal as a customer.</p>,
  })),
);

/** Shows a banner on every page of a view, with the customer, the time left and a button to stop. */
export function ViewBanner() {
  const session = useSession();
  return session?.isView ? (
    <Suspense fallback={null}>
      <Banner session={session} />
    </Suspense>
  ) : null;
}
