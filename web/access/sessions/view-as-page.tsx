import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { startView } from "#web/platform/session.ts";
import { receiveView } from "./view-handover.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Starts viewing the portal as a customer in a new tab, then opens the customer's account page. */
export default function ViewAsPage() {
  const key = useLocation().hash.slice(1);
  const navigate = useNavigate();
  const [errorMessage, setErrorMessage] = useState(
    key === "" ? "Open this page from a customer's page in the admin area." : "",
  );

  useEffect(() => {
    if (key === "") return undefined;
    return receiveView(key, (result) => {
      if ("refused" in result) return setErrorMessage(result.refused);
      startView(result.view);
      return void navigate(paths.myAccount.href(), { replace: true });
    });
  }, [key, navigate]);

  return (
    <PageLayout title={paths.viewAs.title} width="narrow" card>
      {errorMessage ? <ErrorState message={errorMessage} /> : <LoadingBlock label="Opening the customer's view" />}
    </PageLayout>
  );
}
