import { brand } from "#schema/brand.ts";
import { Button, defineEmail, LinkInFull, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Delivers the link to reset a forgotten password. */
export const resetPassword = defineEmail({
  name: "reset-password",
  sample: ({ publicUrl }) => ({
    link: `${publicUrl}/reset-password/?t=secret`,
    /** True if the account was secured, so that its old password no longer works. */
    isSecured: false,
  }),
  subject: () => `Choose a new password for ${brand.name}`,
  preview: () => "The link expires in 30 minutes.",
  because: `someone requested a new password for your account at ${brand.name}.`,
  heading: () => "Choose a new password",
  body: ({ link, isSecured }) => (
    <>
      <Paragraph>
        {isSecured
          ? "Your account was secured, and your old password no longer works. Use this link to choose a new one."
          : "Someone, probably you, requested a password reset for your account. Use this link to choose a new password."}{" "}
        You'll then be signed in here and signed out everywhere else.
      </Paragraph>
      <Button href={link}>Choose new password</Button>
      <LinkInFull href={link} />
      <Note>
        The link works once and expires in 30 minutes. If you request another link, only the newest one works.
      </Note>
      <Note>
        {isSecured
          ? "If you didn't secure it, choose a new password as well, and email "
          : "If this wasn't you, ignore this email. Your password won't change. If it happens again, email "}
        <Support />
      </Note>
    </>
  ),
});
