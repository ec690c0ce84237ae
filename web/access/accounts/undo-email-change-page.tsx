import { UndoEmailChange } from "./undo-email-change.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page opened by the link that undoes a change of the email address. */
export default function UndoEmailChangePage() {
  return (
    <PageLayout title={paths.undoEmailChange.title} width="narrow" card>
      <UndoEmailChange />
    </PageLayout>
  );
}
