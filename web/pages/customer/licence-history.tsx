import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { licencesOf } from "#web/licensing/licences/licences-of.ts";
import { LicenceHistory } from "#web/licensing/licences/licence-history.tsx";
import { useLicenceOwnerQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** What was asked of a licence and what came of it: the customer's own, or anybody's for an admin. */
export default function LicenceHistoryPage() {
  const { licenceId = "" } = useParams();
  const reader = useSession()?.claims.role ?? "regular";
  const isAdmin = reader === "admin";
  // The history brings the owner along for an admin; this waits for it in the cache and asks nothing itself.
  const { data } = useLicenceOwnerQuery({ variables: { id: licenceId }, fetchPolicy: "cache-only", skip: !isAdmin });
  const userId = isAdmin ? data?.licence.owner.id : "account";
  return (
    <PageLayout
      title="Licence History"
      lead="What was asked of this licence, what the answer was, and what to do about a refusal."
      back={isAdmin ? licencesOf(userId) : { to: paths.myAccount.href(), label: "My Account" }}
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
