import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { signOut } from "./sign-out.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { notify } from "#web/platform/notifications.ts";

/** Page that signs out and returns to the home page. The navigation state may have a message to show afterwards. */
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
    <PageLayout title={paths.logout.title} width="narrow">
      <LoadingBlock label="Signing you out" />
    </PageLayout>
  );
}
