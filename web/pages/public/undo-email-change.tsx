import { UndoEmailChange } from "#web/access/accounts/undo-email-change.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";

/** Page opened by the link that undoes a change of the email address. */
export default function UndoEmailChangePage() {
  return (
    <PageLayout title="Undo email change" width="narrow" card>
      <UndoEmailChange />
    </PageLayout>
  );
}
