import { NotMe } from "./not-me.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page opened by the link "This wasn't me" of an email. */
export default function NotMePage() {
  return (
    <PageLayout title={paths.notMe.title} width="narrow" card>
      <NotMe />
    </PageLayout>
  );
}
