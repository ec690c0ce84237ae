import { useLocation } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { toSafeReturnUrl } from "#web/platform/return-url.ts";
import { useSession } from "#web/platform/session.ts";
import { TwoStepSignIn } from "./two-step-sign-in.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for two-step sign-in, for customers and admins. */
export default function TwoStepSignInPage() {
  const isAdmin = useSession()?.claims.role === "admin";
  const { state } = useLocation();
  const cameFrom = toSafeReturnUrl((state as { from?: unknown } | null)?.from);
  const home = isAdmin
    ? { to: paths.admin.href(), label: "Admin" }
    : { to: paths.myAccount.href(), label: "My Account" };
  return (
    <PageLayout
      title={paths.twoStepSignIn.title}
      lead="Protect your account with your password and something only you have."
      width="form"
      back={{ to: paths.security.href(), label: "Security" }}
    >
      <TwoStepSignIn returnTo={cameFrom ?? home.to} />
    </PageLayout>
  );
}
