import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Notifies a user that the registration was removed because the address was never confirmed. */
export const registrationClosed = defineEmail({
  name: "registration-closed",
  sample: () => ({}),
  subject: () => `Your ${brand.name} registration was removed`,
  preview: () => "The email address was not confirmed in time.",
  because: `this address was used to create an account at ${brand.name}.`,
  heading: () => "Your registration was removed",
  body: (_, { publicUrl }) => (
    <>
      <Paragraph>
        You didn't confirm your email address in time, so we removed your registration and the details you entered. You
        can register again with the same address at any time.
      </Paragraph>
      <Button href={`${publicUrl}/register/`}>Register again</Button>
      <Note>
        If our emails didn't reach you, write to <Support />
      </Note>
    </>
  ),
});
