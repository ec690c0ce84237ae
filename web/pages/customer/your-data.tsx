import { paths } from "#web/platform/paths.ts";
import { DeleteAccount } from "#web/privacy/your-data/delete-account.tsx";
import { DownloadMyData } from "#web/privacy/your-data/download-my-data.tsx";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";

/** What a customer may do with what is kept about them: take it along, or have it erased. */
export default function YourDataPage() {
  return (
    <PageLayout
      title="Your data"
      lead="What we keep about you belongs to you."
      width="form"
      back={{ to: paths.myAccount.href(), label: "My Account" }}
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
