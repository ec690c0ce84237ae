import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { getLicencesLink } from "./licence-expiry.tsx";
import { LicenceHistory } from "./licence-history.tsx";
import { useLicenceOwnerQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Shows the history of a licence. Customers can see their own licences; admins can see all. */
export default function LicenceHistoryPage() {
  const { licenceId = "" } = useParams();
  const reader = useSession()?.claims.role ?? "regular";
  const isAdmin = reader === "admin";
  // For admins, the history query loads the owner too. This query only reads it from the cache.
  const { data } = useLicenceOwnerQuery({ variables: { id: licenceId }, fetchPolicy: "cache-only", skip: !isAdmin });
  const userId = isAdmin ? data?.licence.owner.id : "account";
  return (
    <PageLayout
      title={paths.licenceHistory.title}
      lead="Every licence check and change, its result, and what to do after a refusal."
      back={isAdmin ? getLicencesLink(userId) : { to: paths.myAccount.href(), label: "My Account" }}
      actions={
        userId && (
          <LinkButton variant="default" to={paths.activatedDevices.href({ licenceId, userId })}>
            Manage Activated Devices
          </LinkButton>
        )
      }
    >
      <LicenceHistory key={licenceId} licenceId={licenceId} reader={reader} />
    </PageLayout>
  );
}
