import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Notifies a user that staff created an account for them, and explains how to choose a password. Contains no secret. */
export const invitation = defineEmail({
  name: "invitation",
  sample: () => ({ email: "ada@example.com" }),
  subject: () => `Your account at ${brand.name} is ready`,
  preview: () => "Choose a password to sign in.",
  because: `our staff created an account with this address at ${brand.name}.`,
  heading: () => "Your account is ready",
  body: ({ email }, { publicUrl }) => (
    <>
      <Paragraph>
        We created an account for you. To choose a password, enter your email address on the next page. We'll send you a
        link by email.
      </Paragraph>
      <Facts facts={[["Sign in with", email]]} />
      <Button href={`${publicUrl}/forgot-password/`}>Choose password</Button>
      <Note>
        If you didn't expect this email, write to <Support />
      </Note>
    </>
  ),
});
