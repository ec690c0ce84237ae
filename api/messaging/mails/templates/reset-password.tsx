import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, LinkInFull, Note, Paragraph, Support } from "./parts.tsx";

export interface ResetPasswordData {
  readonly firstName: string;
  readonly link: string;
}

/** The link behind which a forgotten password is replaced. */
export const resetPassword: MailTemplate<ResetPasswordData> = {
  subject: () => `Choose a new password for ${brand.name}`,
  preview: () => "The link works for 30 minutes.",
  because: `You get this mail because somebody asked to reset the password of this address's account at ${brand.name}.`,
  body: ({ firstName, link }) => (
    <>
      <Heading>Choose a new password</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Somebody, probably you, has forgotten the password of your account. With this link you choose a new one and are
        signed in. Everywhere else you will be signed out.
      </Paragraph>
      <Button href={link}>Choose a new password</Button>
      <LinkInFull href={link} />
      <Note>The link works once, for 30 minutes. If you ask for another one, only the newest works.</Note>
      <Note>
        If it was not you, you need not do anything: your password stays as it is. If it happens again, write to{" "}
        <Support />
      </Note>
    </>
  ),
};
