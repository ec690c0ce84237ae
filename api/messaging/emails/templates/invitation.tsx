import { brand } from "#schema/brand.ts";
import type { EmailTemplate } from "./email-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface InvitationData {
  readonly firstName: string;
  readonly email: string;
}

/** Notifies a user that staff created an account for them, and explains how to choose a password. Contains no secret. */
export const invitation: EmailTemplate<InvitationData> = {
  subject: () => `Your account at ${brand.name} is ready`,
  preview: () => "Choose a password to sign in.",
  because: `You're receiving this email because our staff created an account with this address at ${brand.name}.`,
  body: ({ firstName, email }, { publicUrl }) => (
    <>
      <Heading>Your account is ready</Heading>
      <Hello firstName={firstName} />
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
};
