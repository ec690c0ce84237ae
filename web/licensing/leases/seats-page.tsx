import { useParams } from "react-router-dom";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { getLicencesLink } from "#web/licensing/licences/licence-expiry.tsx";
import { SeatBoard } from "./seat-board.tsx";
import { useLicenceOwnerQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/**
 * Shows the seats in use on a concurrent licence. Customers can see their own licences; admins can see all and release
 * seats.
 */
export default function SeatsPage() {
  const { licenceId = "" } = useParams();
  const isSupport = useStaffRole("support");
  const role = useSession()?.claims.role;
  const isAdmin = role === "admin";
  const { data } = useLicenceOwnerQuery({ variables: { id: licenceId }, skip: !isAdmin });
  return (
    <PageLayout
      title={paths.seats.title}
      lead="Seats in use on this licence, and requests that were denied because none was available."
      back={getLicencesLink(role, data?.licence.owner.id)}
      actions={
        <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
          View licence history
        </LinkButton>
      }
    >
      <SeatBoard key={licenceId} licenceId={licenceId} canRelease={isAdmin && isSupport} />
    </PageLayout>
  );
}
