import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { signOut } from "#web/access/sessions/sign-out.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { notify } from "#web/platform/notifications.ts";

/** Signs out and goes to the home page. Shows the message in the router state, if any. */
export default function LogoutPage() {
  const navigate = useNavigate();
  const farewell = (useLocation().state as { farewell?: unknown } | null)?.farewell;
  useEffect(() => {
    void signOut().then(() => {
      if (typeof farewell === "string") notify.success(farewell);
      return navigate(paths.home.href(), { replace: true });
    });
  }, [farewell, navigate]);
  return (
    <PageLayout title="Logout" width="narrow">
      <LoadingBlock label="Logging you out" />
    </PageLayout>
  );
}
