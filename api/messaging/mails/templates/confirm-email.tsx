import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, LinkInFull, Note, Paragraph } from "./parts.tsx";

export interface ConfirmEmailData {
  readonly firstName: string;
  readonly link: string;
}

/** The link that proves the address of a new account. */
export const confirmEmail: MailTemplate<ConfirmEmailData> = {
  subject: () => `Confirm your email address for ${brand.name}`,
  preview: () => "One click and your account is ready.",
  because: `You get this mail because this address was used to create an account at ${brand.name}.`,
  body: ({ firstName, link }) => (
    <>
      <Heading>Confirm your email address</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Thank you for creating an account. Please confirm that this is your email address, and you can sign in and start
        your free trial.
      </Paragraph>
      <Button href={link}>Confirm my email address</Button>
      <LinkInFull href={link} />
      <Note>The link works once, for 3 days. If you ask for another one, only the newest works.</Note>
      <Note>If you did not create an account, you need not do anything: without your click nothing happens.</Note>
    </>
  ),
};
