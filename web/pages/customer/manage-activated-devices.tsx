import { useParams } from "react-router-dom";
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
  // A corporate customer reads; the vendor's staff and the add-in free (DOMAIN §7).
  const mayFree = role !== "corporate";
  return (
    <PageLayout
      title="Manage Activated Devices"
      lead={
        mayFree
          ? "Free a device to use its place on another machine."
          : `To free a device, do so in the add-in on it, or write to ${brand.mailboxes.support.email}.`
      }
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
