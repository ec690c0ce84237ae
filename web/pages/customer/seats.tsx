import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { licencesOf } from "#web/licensing/licences/licences-of.ts";
import { SeatBoard } from "#web/licensing/leases/seat-board.tsx";
import { useLicenceOwnerQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Who has a seat of a concurrent licence: the customer's own, or anybody's for an admin, who may free one. */
export default function SeatsPage() {
  const { licenceId = "" } = useParams();
  const isAdmin = useSession()?.claims.role === "admin";
  const { data } = useLicenceOwnerQuery({ variables: { id: licenceId }, skip: !isAdmin });
  return (
    <PageLayout
      title="Seats"
      lead="Who works on this licence at the moment, and who found no seat."
      back={isAdmin ? licencesOf(data?.licence.owner.id) : { to: paths.myAccount.href(), label: "My Account" }}
      actions={
        <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
          Explain This Licence
        </LinkButton>
      }
    >
      <SeatBoard key={licenceId} licenceId={licenceId} mayFree={isAdmin} />
    </PageLayout>
  );
}
