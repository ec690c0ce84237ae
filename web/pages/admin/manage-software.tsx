import { paths } from "#web/platform/paths.ts";
import { ManageSoftware } from "#web/releases/software/manage-software.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Where staff upload builds of the add-in, publish them and take them back. */
export default function ManageSoftwarePage() {
  return (
    <PageLayout
      title="Upload Software"
      lead="Upload a build first; nobody is offered it before you publish it for its stage."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <ManageSoftware />
    </PageLayout>
  );
}
