import { paths } from "#web/platform/paths.ts";
import { OfflineActivation } from "./offline-activation.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page for activating a device without an internet connection. */
export default function OfflineActivationPage() {
  return (
    <PageLayout
      title={paths.offlineActivation.title}
      lead="Activate a device without an internet connection: upload its request file and download a licence file."
      width="form"
      back={{ to: paths.licences.href(), label: "Licences" }}
    >
      <OfflineActivation />
    </PageLayout>
  );
}
