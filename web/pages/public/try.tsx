import { Trial } from "#web/licensing/trials/trial.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** The trial: a public address for customers, which remembers the wish of the signed-out. */
export default function TryPage() {
  return (
    <PageLayout title="Trial Professional" width="form" card>
      <Trial />
    </PageLayout>
  );
}
