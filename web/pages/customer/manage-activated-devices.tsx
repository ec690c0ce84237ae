import { Link, useParams } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { sentenceOfErrorCode } from "#schema/error-codes.ts";
import { paths } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { ViewAsButton } from "#web/access/sessions/view-as-button.tsx";
import { ActivatedDevices } from "#web/licensing/devices/activated-devices.tsx";
import { useOwnerOfDevicesQuery } from "#web/generated/graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { messageOf } from "#web/platform/server-error.ts";

const title = "Manage Activated Devices";

/** The devices of a licence: the customer's own, or anybody's for an admin. */
export default function ManageActivatedDevicesPage() {
  const { licenceId = "", userId = "" } = useParams();
  const role = useSession()?.claims.role;
  if (role === "admin") return <DevicesOfCustomer key={licenceId} licenceId={licenceId} userId={userId} />;
  // Corporate customers deactivate devices elsewhere; this page is read-only for them (decision 0024).
  const mayFree = role !== "corporate";
  return (
    <PageLayout
      title={title}
      lead={mayFree ? "Free a device to use its place on another machine." : <ReadOnlyLead />}
      actions={<ExplainLicence licenceId={licenceId} />}
      back={{ to: paths.myAccount.href(), label: "My Account" }}
    >
      <ActivatedDevices key={licenceId} licenceId={licenceId} mayFree={mayFree} />
    </PageLayout>
  );
}

/** The same for an admin, who is told whose devices they are. A pair of ids that don't belong together is as missing. */
function DevicesOfCustomer({ licenceId, userId }: { licenceId: string; userId: string }) {
  const { data, error, refetch } = useOwnerOfDevicesQuery({ variables: { licenceId } });
  const owner = data?.licence.owner;
  const isMatch = owner?.id === userId.toLowerCase();
  const back = `${paths.updateUser.href({ id: userId })}?tab=licences`;
  return (
    <PageLayout
      title={title}
      lead={isMatch ? <WhoseDevices owner={owner} supportCode={data?.licence.supportCode ?? ""} /> : undefined}
      actions={
        isMatch && (
          <>
            <ViewAsButton userId={owner.id} />
            <ExplainLicence licenceId={licenceId} />
          </>
        )
      }
      back={isMatch || !data ? { to: back, label: "Licences" } : { to: paths.admin.href(), label: "Admin" }}
    >
      {isMatch ? (
        <ActivatedDevices licenceId={licenceId} mayFree ownerId={owner.id} />
      ) : data ? (
        <ErrorState message={sentenceOfErrorCode.NOT_FOUND} />
      ) : error ? (
        <ErrorState
          message={messageOf(error, "Unable to fetch the licence's devices.")}
          onRetry={() => void refetch()}
        />
      ) : (
        <LoadingBlock label="Loading the devices" />
      )}
    </PageLayout>
  );
}

function WhoseDevices(props: {
  owner: { firstName: string; lastName: string; companyName: string };
  supportCode: string;
}) {
  const { firstName, lastName, companyName } = props.owner;
  return (
    <p>
      Devices of{" "}
      <b>
        {firstName} {lastName}
      </b>
      {companyName && `, ${companyName}`}, on the licence {props.supportCode}.
    </p>
  );
}

function ExplainLicence({ licenceId }: { licenceId: string }) {
  return (
    <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
      View Licence History
    </LinkButton>
  );
}

function ReadOnlyLead() {
  const { email } = brand.mailboxes.support;
  return (
    <p>
      This page is read-only for corporate accounts. Free a device in the add-in on it, or replace it when you{" "}
      <Link to={paths.activate.href()}>activate another by code</Link>; both count as deactivations. If a device is out
      of reach, write to <a href={`mailto:${email}`}>{email}</a>.
    </p>
  );
}
