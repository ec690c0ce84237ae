import { Link, useParams } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/app/paths.ts";
import { useSession } from "#web/app/session.ts";
import { ActivatedDevices } from "#web/features/devices/activated-devices.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** The devices of a licence: the customer's own, or anybody's for an admin. */
export default function ManageActivatedDevicesPage() {
  const { licenceId = "" } = useParams();
  const role = useSession()?.claims.role;
  const isAdmin = role === "admin";
  // For corporate customers this page is read-only (DOMAIN §7); they free elsewhere, counted the same (decision 0024).
  const mayFree = role !== "corporate";
  return (
    <PageLayout
      title="Manage Activated Devices"
      lead={mayFree ? "Free a device to use its place on another machine." : <ReadOnlyLead />}
      actions={
        <LinkButton variant="default" to={paths.licenceHistory.href({ licenceId })}>
          Explain This Licence
        </LinkButton>
      }
      back={isAdmin ? { to: paths.admin.href(), label: "Users" } : { to: paths.myAccount.href(), label: "My Account" }}
    >
      <ActivatedDevices key={licenceId} licenceId={licenceId} mayFree={mayFree} />
    </PageLayout>
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
