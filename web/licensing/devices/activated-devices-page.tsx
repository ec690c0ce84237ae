import { Link, useParams } from "react-router-dom";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { messageOfErrorCode } from "#schema/error-codes.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { ViewAsButton } from "#web/access/sessions/view-as-button.tsx";
import { getLicencesLink } from "#web/licensing/licences/licence-expiry.tsx";
import { ActivatedDevices } from "./activated-devices.tsx";
import { useOwnerOfDevicesQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

const { title } = paths.activatedDevices;

/** Page with the devices of a licence. Admins can open it for any customer. */
export default function ManageActivatedDevicesPage() {
  const { licenceId = "", userId = "" } = useParams();
  const role = useSession()?.claims.role;
  if (role === "admin") return <DevicesOfCustomer key={licenceId} licenceId={licenceId} userId={userId} />;
  // Corporate customers deactivate devices elsewhere; this page is read-only for them (decision 0024).
  const canDeactivate = role !== "corporate";
  return (
    <PageLayout
      title={title}
      lead={canDeactivate ? "Deactivate a device to use your licence on another one." : <ReadOnlyLead />}
      actions={<ExplainLicence licenceId={licenceId} />}
      back={getLicencesLink(role)}
    >
      <ActivatedDevices key={licenceId} licenceId={licenceId} canDeactivate={canDeactivate} />
    </PageLayout>
  );
}

/** Shows a customer's devices to an admin. A licence that doesn't belong to the user is treated as not found. */
function DevicesOfCustomer({ licenceId, userId }: { licenceId: string; userId: string }) {
  const query = useOwnerOfDevicesQuery({ variables: { licenceId } });
  const { data } = query;
  const isSupport = useStaffRole("support");
  const owner = data?.licence.owner;
  const isMatch = owner?.id === userId.toLowerCase();
  return (
    <PageLayout
      title={title}
      lead={
        isMatch && (
          <p>
            Devices of{" "}
            <b>
              {owner.firstName} {owner.lastName}
            </b>
            {owner.companyName && `, ${owner.companyName}`}, on licence {data?.licence.supportCode}.
          </p>
        )
      }
      actions={
        isMatch && (
          <>
            {isSupport && <ViewAsButton userId={owner.id} />}
            <ExplainLicence licenceId={licenceId} />
          </>
        )
      }
      back={getLicencesLink("admin", isMatch || !data ? userId : undefined)}
    >
      {isMatch ? (
        <ActivatedDevices
          licenceId={licenceId}
          canDeactivate={isSupport}
          {...(isSupport ? { ownerId: owner.id } : {})}
        />
      ) : data ? (
        <ErrorState message={messageOfErrorCode.NOT_FOUND} />
      ) : (
        <Loaded query={query} failure="Unable to fetch the licence's devices." loading="Loading the devices" />
      )}
    </PageLayout>
  );
}

function ExplainLicence({ licenceId }: { licenceId: string }) {
  return (
    <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
      View licence history
    </LinkButton>
  );
}

function ReadOnlyLead() {
  return (
    <p>
      This page is read-only for corporate accounts. Deactivate a device in the add-in on it, or replace it when you{" "}
      <Link to={paths.activate.href()}>activate another device with a code</Link>. Both count as deactivations. If you
      can't access a device, contact support at <MailLink to="support" />.
    </p>
  );
}
