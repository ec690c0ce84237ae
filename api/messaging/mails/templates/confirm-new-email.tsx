import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, LinkInFull, Note, Paragraph } from "./parts.tsx";

export interface ConfirmNewEmailData {
  readonly firstName: string;
  readonly link: string;
}

/**
 * The link that proves the new address of an account and puts it in the old one's place. The old one is not named:
 * a mistyped address is a stranger's.
 */
export const confirmNewEmail: MailTemplate<ConfirmNewEmailData> = {
  subject: () => `Confirm your new email address for ${brand.name}`,
  preview: () => "One click and you sign in with this address.",
  because: `You get this mail because an account at ${brand.name} asked to use this address.`,
  body: ({ firstName, link }) => (
    <>
      <Heading>Confirm your new email address</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        You asked to use this address for your account. Please confirm that it is yours. Until you do, you sign in with
        your old one.
      </Paragraph>
      <Button href={link}>Confirm my new email address</Button>
      <LinkInFull href={link} />
      <Note>The link works once, for 3 days. If you ask for another one, only the newest works.</Note>
      <Note>If you did not ask for this, you need not do anything: without your click nothing changes.</Note>
    </>
  ),
};
