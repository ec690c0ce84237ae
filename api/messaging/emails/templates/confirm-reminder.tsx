import { brand } from "#schema/brand.ts";
import { Button, defineEmail, LinkInFull, Note, Paragraph } from "#api/messaging/emails/template.tsx";

/** Reminds a user to confirm the email address one day before the registration is removed. */
export const confirmReminder = defineEmail({
  name: "confirm-reminder",
  sample: ({ at, publicUrl }) => ({
    link: `${publicUrl}/confirm-email?t=secret`,
    /** When the registration is removed. */
    closesAt: at,
  }),
  subject: () => `Please confirm your email address for ${brand.name}`,
  preview: () => "Your registration will be removed in one day.",
  because: `this address was used to create an account at ${brand.name}.`,
  heading: () => "Confirm your email address",
  body: ({ link, closesAt }, { dateTime }) => (
    <>
      <Paragraph>
        You created an account but haven't confirmed your email address yet. We'll remove your registration on{" "}
        {dateTime(closesAt)} unless you confirm before then.
      </Paragraph>
      <Button href={link}>Confirm my email address</Button>
      <LinkInFull href={link} />
      <Note>The link works once. Links in our earlier emails no longer work.</Note>
      <Note>If you didn't create an account, ignore this email. The registration will be removed automatically.</Note>
    </>
  ),
});
