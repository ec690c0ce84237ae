import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface EmailChangingData {
  readonly firstName: string;
  readonly newEmail: string;
}

/** Tells the present address that another one was asked for, while there is still time to stop it. */
export const emailChanging: MailTemplate<EmailChangingData> = {
  subject: () => `A new email address was asked for at ${brand.name}`,
  preview: () => "This address stays yours to sign in with until the new one is confirmed.",
  because: `You get this mail because this address belongs to an account at ${brand.name}.`,
  body: ({ firstName, newEmail }, { publicUrl }) => (
    <>
      <Heading>A new email address was asked for</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Your account is to use another email address. Nothing has changed yet: until the new address is confirmed, you
        sign in with this one.
      </Paragraph>
      <Facts facts={[["New address", newEmail]]} />
      <Paragraph>
        If this was you, open the mail we have sent to the new address. If it was not, sign in and change your password
        now: that stops the change.
      </Paragraph>
      <Button href={`${publicUrl}/change-password/`}>Change my password</Button>
      <Note>
        Can you no longer sign in? Write to <Support />
      </Note>
    </>
  ),
};
