import { Link } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { leaveView } from "#web/platform/session.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorPage } from "#web/ui/error-page.tsx";

/**
 * Replaces every page in a tab after viewing as a customer has ended there, so the tab never switches to the admin's
 * own account.
 */
export default function ViewOverPage() {
  return (
    <ErrorPage
      scene="empty"
      title="Viewing has ended"
      actions={<Button onClick={() => window.close()}>Close this tab</Button>}
    >
      <p>You're no longer viewing the portal as the customer. Their data has been removed from this tab.</p>
      <p>
        You're still signed in as yourself in your other tabs. To continue here, go to{" "}
        <Link to={paths.admin.href()} onClick={leaveView}>
          Admin
        </Link>
        .
      </p>
    </ErrorPage>
  );
}
