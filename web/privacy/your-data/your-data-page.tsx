import { DeleteAccount } from "./delete-account.tsx";
import { DownloadMyData } from "./download-my-data.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";

/** Lets customers download their data or delete their account. */
export default function YourDataPage() {
  return (
    <PageLayout
      title={paths.yourData.title}
      lead="Download the data we keep about you, or delete your account."
      width="form"
    >
      <Section title="Download your data">
        <DownloadMyData />
      </Section>
      <Section title="Delete your account">
        <DeleteAccount />
      </Section>
    </PageLayout>
  );
}
