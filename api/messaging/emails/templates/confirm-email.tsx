import { brand } from "#schema/brand.ts";
import { Button, defineEmail, LinkInFull, Note, Paragraph } from "#api/messaging/emails/template.tsx";

/** Requests confirmation of the email address of a new account. */
export const confirmEmail = defineEmail({
  name: "confirm-email",
  sample: ({ publicUrl }) => ({
    link: `${publicUrl}/confirm-email?t=secret`,
    /** True if the account was registered to start a trial. */
    startsTrial: true,
  }),
  subject: () => `Confirm your email address for ${brand.name}`,
  preview: () => "Confirm your address to activate your account.",
  because: `this address was used to create an account at ${brand.name}.`,
  heading: () => "Confirm your email address",
  body: ({ link, startsTrial }) => (
    <>
      <Paragraph>
        Thank you for creating an account. Confirm your email address to sign in
        {startsTrial && " and start your free trial"}.
      </Paragraph>
      <Button href={link}>Confirm my email address</Button>
      <LinkInFull href={link} />
      <Note>The link works once and expires in 3 days. If you request another link, only the newest one works.</Note>
      <Note>
        If you didn't create an account, ignore this email. The account can't be used until the address is confirmed.
      </Note>
    </>
  ),
});
