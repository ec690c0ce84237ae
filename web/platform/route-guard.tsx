import { type ReactNode, useEffect, useState } from "react";
import { Navigate, useLocation, useParams } from "react-router-dom";
import type { Access } from "./route-entry.ts";
import { FOR_TRIAL, getLandingPath, NEEDS_ACCOUNT } from "./landing.ts";
import { loginHref, paths } from "./paths.ts";
import { readCameFrom, toSafeReturnUrl } from "./return-url.ts";
import { getSession, useSession } from "./session.ts";

/** Shows a page to users who may open it and redirects all others. */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  if (access.kind === "signed-out") return <SignedOutOnly access={access}>{children}</SignedOutOnly>;
  if (access.kind === "private") return <SignedInOnly access={access}>{children}</SignedInOnly>;
  return children;
}

function SignedInOnly({ access, children }: { access: Access & { kind: "private" }; children: ReactNode }) {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  const params = useParams();
  const { signedOut } = access;
  useEffect(() => {
    if (!session) signedOut?.(params);
  }, [params, session, signedOut]);

  if (!session) {
    const needsAccount = search.slice(1).split("&").includes(NEEDS_ACCOUNT);
    const to = needsAccount ? `${paths.register.href()}?${FOR_TRIAL}` : loginHref(pathname + search + hash);
    return <Navigate to={to} replace />;
  }
  const elsewhere = access.elsewhere?.[session.claims.role];
  return elsewhere === undefined ? children : <Navigate to={elsewhere} replace />;
}

/**
 * Redirects signed-in users away from pages for visitors. Sign-in, registration and confirmation pages only store the new
 * session, and this guard then opens the landing page. A user who was already signed in goes back to the previous page.
 */
function SignedOutOnly({ access, children }: { access: Access & { kind: "signed-out" }; children: ReactNode }) {
  const { otherwise, signedIn } = access;
  const session = useSession();
  const { search, state } = useLocation();
  // Not `session`, which is still null while a prerendered page is being hydrated.
  const [cameSignedIn] = useState(() => getSession() !== null);
  useEffect(() => {
    if (cameSignedIn) signedIn?.(search);
  }, [cameSignedIn, search, signedIn]);
  if (!session) return children;

  const returnUrl = toSafeReturnUrl(new URLSearchParams(search).get("returnUrl"));
  if (!cameSignedIn) return <Navigate to={getLandingPath(session, returnUrl)} replace />;
  return <Navigate to={otherwise ?? returnUrl ?? readCameFrom(state) ?? paths.home.href()} replace />;
}
