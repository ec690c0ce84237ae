import { paths } from "#web/platform/paths.ts";
import { OfflineActivation } from "#web/licensing/devices/offline-activation.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** A licence file for a machine without a connection, against the request file that its add-in saved. */
export default function OfflineActivationPage() {
  return (
    <PageLayout
      title="Offline Activation"
      lead="For a machine that cannot reach us: bring its request file, take a licence file back."
      width="form"
      back={{ to: paths.myAccount.href(), label: "My Account" }}
    >
      <OfflineActivation />
    </PageLayout>
  );
}
