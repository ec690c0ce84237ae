import { paths } from "#web/platform/paths.ts";
import { ManageSoftware } from "./manage-software.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page where staff upload, publish and withdraw builds of the add-in. */
export default function ManageSoftwarePage() {
  return (
    <PageLayout
      title={paths.manageSoftware.title}
      lead="Upload a build, then publish it to offer it in its stage."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <ManageSoftware />
    </PageLayout>
  );
}
