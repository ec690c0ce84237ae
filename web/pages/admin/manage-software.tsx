import { paths } from "#web/platform/paths.ts";
import { ManageSoftware } from "#web/releases/software/manage-software.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page on which staff upload, publish and roll back builds of the add-in. */
export default function ManageSoftwarePage() {
  return (
    <PageLayout
      title="Upload Software"
      lead="Upload a build, then publish it for its stage. Customers get it only after you publish it."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <ManageSoftware />
    </PageLayout>
  );
}
