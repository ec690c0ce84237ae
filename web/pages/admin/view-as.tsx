import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { startView } from "#web/platform/session.ts";
import { receiveView } from "#web/access/sessions/view-handover.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** The first page of a tab that an admin opened to view the portal as a customer: takes the view over and goes on. */
export default function ViewAsPage() {
  const key = useLocation().hash.slice(1);
  const navigate = useNavigate();
  const [refused, setRefused] = useState(
    key === "" ? "Please open this from a customer's page in the admin area." : "",
  );

  useEffect(() => {
    if (key === "") return undefined;
    return receiveView(key, (result) => {
      if ("refused" in result) return setRefused(result.refused);
      startView(result.view);
      return void navigate(paths.myAccount.href(), { replace: true });
    });
  }, [key, navigate]);

  return (
    <PageLayout title="View As Customer" width="narrow">
      {refused ? <ErrorState message={refused} /> : <LoadingBlock label="Opening the customer's view" />}
    </PageLayout>
  );
}
