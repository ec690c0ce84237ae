import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface RegistrationClosedData {
  readonly firstName: string;
}

/** A registration was removed because its address was never confirmed. */
export const registrationClosed: MailTemplate<RegistrationClosedData> = {
  subject: () => `Your ${brand.name} registration was removed`,
  preview: () => "The email address was not confirmed in time.",
  because: `You get this mail because this address was used to create an account at ${brand.name}.`,
  body: ({ firstName }, { publicUrl }) => (
    <>
      <Heading>Your registration was removed</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Your email address was not confirmed in time, so we have removed the registration and everything you entered
        with it. You can register again with the same address whenever you like.
      </Paragraph>
      <Button href={`${publicUrl}/register/`}>Register again</Button>
      <Note>
        Our mails did not reach you? Write to <Support />
      </Note>
    </>
  ),
};
