import { Trial } from "./trial.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Trial page. This address is public and remembers that a signed-out visitor wants a trial. */
export default function TryPage() {
  return (
    <PageLayout title={paths.trial.title} width="form" card>
      <Trial />
    </PageLayout>
  );
}
