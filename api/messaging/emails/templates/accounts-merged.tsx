import { UNDO_DAYS } from "#schema/account-merge.ts";
import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Tells both addresses of a customer that their accounts are one now. */
export const accountsMerged = defineEmail({
  name: "accounts-merged",
  sample: () => ({
    keptEmail: "ada@example.com",
    mergedEmail: "ada.byron@example.org",
    /** Licences that moved. */
    licences: 2,
  }),
  subject: () => `Your ${brand.name} accounts are one now`,
  preview: ({ keptEmail }) => `Sign in with ${keptEmail}.`,
  heading: () => "Your accounts are one now",
  body: ({ keptEmail, mergedEmail, licences }, { publicUrl }) => (
    <>
      <Paragraph>
        We merged your two accounts. Sign in with {keptEmail} from now on. {mergedEmail} can&apos;t sign in any more.
      </Paragraph>
      <Facts facts={[["Licences moved", String(licences)]]} />
      <Paragraph>
        Your licence codes and devices stay the same, so you don&apos;t need to do anything in the add-in.
      </Paragraph>
      <Button href={`${publicUrl}/login/`}>Sign in</Button>
      <Note>
        If you didn&apos;t expect this, email <Support /> within {UNDO_DAYS} days. We can undo it.
      </Note>
    </>
  ),
});
