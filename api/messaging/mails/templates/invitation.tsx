import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface InvitationData {
  readonly firstName: string;
  readonly email: string;
}

/** Tells somebody whose account staff made that it is there, and how to choose a password; carries no secret. */
export const invitation: MailTemplate<InvitationData> = {
  subject: () => `Your account at ${brand.name} is ready`,
  preview: () => "Choose a password to sign in.",
  because: `You get this mail because an account was made for this address at ${brand.name}.`,
  body: ({ firstName, email }, { publicUrl }) => (
    <>
      <Heading>Your account is ready</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        We have made an account for you. Choose a password to sign in: enter your address on the next page, and a link
        comes by mail at once.
      </Paragraph>
      <Facts facts={[["Sign in with", email]]} />
      <Button href={`${publicUrl}/forgot-password/`}>Choose a password</Button>
      <Note>
        You did not expect this? Write to <Support />
      </Note>
    </>
  ),
};
