import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { paths } from "#web/app/paths.ts";
import { signOut } from "#web/features/auth/sign-out.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";

/** Signs out and goes home. */
export default function LogoutPage() {
  const navigate = useNavigate();
  useEffect(() => {
    void signOut().then(() => navigate(paths.home.href(), { replace: true }));
  }, [navigate]);
  return (
    <PageLayout title="Logout" width="narrow">
      <LoadingBlock label="Logging you out" />
    </PageLayout>
  );
}
