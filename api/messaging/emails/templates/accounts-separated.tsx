import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";
import { accountsMerged } from "./accounts-merged.tsx";

/** Tells both addresses of a customer that the merge of their accounts was undone. */
export const accountsSeparated = defineEmail({
  name: "accounts-separated",
  sample: (common) => accountsMerged.sample(common),
  subject: () => `Your ${brand.name} accounts are separate again`,
  preview: ({ mergedEmail }) => `${mergedEmail} can sign in again.`,
  heading: () => "Your accounts are separate again",
  body: ({ keptEmail, mergedEmail, licences }, { publicUrl }) => (
    <>
      <Paragraph>
        We undid the merge of your two accounts. {keptEmail} and {mergedEmail} each sign in to their own account again.
      </Paragraph>
      <Facts facts={[["Licences moved back", String(licences)]]} />
      <Paragraph>
        Your licence codes and devices stay the same, so you don&apos;t need to do anything in the add-in.
      </Paragraph>
      <Button href={`${publicUrl}/login/`}>Sign in</Button>
      <Note>
        If you didn&apos;t expect this, email <Support />.
      </Note>
    </>
  ),
});
