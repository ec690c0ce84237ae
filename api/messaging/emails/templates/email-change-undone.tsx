import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, LinkInFull, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

interface EmailChangeUndoneData {
  /** The restored address and its reset link; null in the email to the address that was removed. */
  readonly restored: { readonly email: string; readonly link: string } | null;
}

/** Notifies both addresses that a change of the email address was undone. */
export const emailChangeUndone = defineEmail<EmailChangeUndoneData>({
  name: "email-change-undone",
  sample: ({ publicUrl }) => ({
    restored: { email: "ada@old.example", link: `${publicUrl}/reset-password/?t=secret` },
  }),
  subject: () => `The change of your email address at ${brand.name} was undone`,
  preview: ({ restored }) =>
    restored ? "Choose a new password to secure your account." : "This address no longer belongs to the account.",
  because: `the email address of an account at ${brand.name} was changed.`,
  heading: () => "The change was undone",
  body: ({ restored }) => (
    <>
      {restored ? (
        <>
          <Paragraph>
            Your account has its old email address again. You have been signed out everywhere, and your personal access
            tokens were revoked.
          </Paragraph>
          <Facts facts={[["Email address", restored.email]]} />
          <Paragraph>Someone else may know your password. Choose a new one:</Paragraph>
          <Button href={restored.link}>Choose a new password</Button>
          <LinkInFull href={restored.link} />
          <Note>The link works once and expires in 30 minutes.</Note>
        </>
      ) : (
        <Paragraph>
          The owner of the account&apos;s old email address has restored it. This address can no longer sign in. If you
          don&apos;t expect this, email <Support />
        </Paragraph>
      )}
    </>
  ),
});
