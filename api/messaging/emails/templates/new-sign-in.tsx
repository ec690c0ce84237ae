import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, HelpNote, Paragraph, TextLink } from "#api/messaging/emails/template.tsx";

/** Notifies a user of a sign-in from a browser or network that is new for the account. */
export const newSignIn = defineEmail({
  name: "new-sign-in",
  sample: ({ at, publicUrl }) => ({
    at,
    /** Browser and operating system, such as `Chrome on Windows`. */
    browser: "Chrome on Windows",
    ip: "203.0.113.7",
    /** Link that secures the account. */
    notMe: `${publicUrl}/not-me/?t=secret`,
  }),
  subject: () => `New sign-in to your ${brand.name} account`,
  preview: ({ browser }) => `${browser}. If this was you, you don't need to do anything.`,
  heading: () => "New sign-in to your account",
  body: ({ at, browser, ip, notMe }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        Someone signed in to your account from a browser or network that you haven't used in the last 90 days. If this
        was you, you don't need to do anything.
      </Paragraph>
      <Facts
        facts={[
          ["Time", dateTime(at)],
          ["Browser", browser],
          ["IP address", ip],
        ]}
      />
      <Paragraph>
        If it wasn't, secure your account: this signs you out everywhere, revokes your personal access tokens, turns off
        your webhook endpoints, and lets you choose a new password. The link works once, within 7 days.
      </Paragraph>
      <Button href={notMe}>This wasn't me</Button>
      <Paragraph>
        <TextLink href={`${publicUrl}/security/`}>View your sessions and activity</TextLink>
      </Paragraph>
      <HelpNote when="you can't sign in or need help" />
    </>
  ),
});
