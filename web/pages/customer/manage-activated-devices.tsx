import { useParams } from "react-router-dom";
import { paths } from "#web/app/paths.ts";
import { useSession } from "#web/app/session.ts";
import { ActivatedDevices } from "#web/features/devices/activated-devices.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** The devices of a licence: the customer's own, or anybody's for an admin. */
export default function ManageActivatedDevicesPage() {
  const { licenceId = "" } = useParams();
  const isAdmin = useSession()?.claims.role === "admin";
  return (
    <PageLayout
      title="Manage Activated Devices"
      lead="Free a device to use its place on another machine."
      back={isAdmin ? { to: paths.admin.href(), label: "Users" } : { to: paths.myAccount.href(), label: "My Account" }}
    >
      <ActivatedDevices key={licenceId} licenceId={licenceId} counted={!isAdmin} />
    </PageLayout>
  );
}
