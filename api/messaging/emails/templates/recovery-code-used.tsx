import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

/** Notifies a user that a recovery code was used instead of the authenticator app or a passkey. */
export const recoveryCodeUsed = defineEmail({
  name: "recovery-code-used",
  sample: ({ at }) => ({
    at,
    codesLeft: 9,
    /** Browser and operating system, such as `Chrome on Windows`. */
    browser: "Chrome on Windows",
    ip: "203.0.113.7",
  }),
  subject: () => `A recovery code was used at ${brand.name}`,
  preview: ({ codesLeft }) => `${formatCodesLeft(codesLeft)} If this wasn't you, change your password immediately.`,
  heading: () => "A recovery code was used",
  body: ({ at, codesLeft, browser, ip }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        One of your recovery codes was used instead of your authenticator app or a passkey. It can't be used again.{" "}
        {formatCodesLeft(codesLeft)}
      </Paragraph>
      <Facts
        facts={[
          ["Time", dateTime(at)],
          ["Browser", browser],
          ["IP address", ip],
        ]}
      />
      <Paragraph>If this wasn't you, change your password immediately and create new recovery codes.</Paragraph>
      <Button href={`${publicUrl}/two-step-sign-in/`}>Manage two-step sign-in</Button>
      <HelpNote when="you can't sign in" />
    </>
  ),
});

function formatCodesLeft(codesLeft: number): string {
  if (codesLeft === 0) return "It was your last one. Create new codes now.";
  return codesLeft === 1 ? "You have 1 left. Create new codes now." : `You have ${codesLeft} left.`;
}
