import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { leaveView } from "#web/platform/session.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorPage } from "#web/ui/error-page.tsx";

/** Stands in the tab of a view that is over, whatever its address, so that it never turns into the admin's own unasked. */
export default function ViewOverPage() {
  return (
    <ErrorPage
      scene="empty"
      title="Viewing Has Ended"
      actions={<Button onClick={() => window.close()}>Close This Tab</Button>}
    >
      <p>You no longer see the portal as the customer sees it, and nothing of theirs is kept in this tab.</p>
      <p>
        Your own session goes on in your other tabs. Go on here as yourself:{" "}
        <Link to={paths.admin.href()} onClick={leaveView}>
          Admin
        </Link>
        .
      </p>
    </ErrorPage>
  );
}
