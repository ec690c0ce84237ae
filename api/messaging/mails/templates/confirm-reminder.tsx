import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, LinkInFull, Note, Paragraph } from "./parts.tsx";

export interface ConfirmReminderData {
  readonly firstName: string;
  readonly link: string;
  /** When the registration is removed. */
  readonly closesAt: Date;
}

/** A registration whose address is still not confirmed is removed in a day. */
export const confirmReminder: MailTemplate<ConfirmReminderData> = {
  subject: () => `Please confirm your email address for ${brand.name}`,
  preview: () => "Your registration is removed in a day.",
  because: `You get this mail because this address was used to create an account at ${brand.name}.`,
  body: ({ firstName, link, closesAt }) => (
    <>
      <Heading>Your account is waiting for you</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        You created an account and have not confirmed your email address yet. We keep such a registration until{" "}
        {dayAndTime(closesAt)} and remove it then.
      </Paragraph>
      <Button href={link}>Confirm my email address</Button>
      <LinkInFull href={link} />
      <Note>The link works once. Links in our earlier mails no longer work.</Note>
      <Note>If you did not create an account, you need not do anything: it goes by itself.</Note>
    </>
  ),
};
