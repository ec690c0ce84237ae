import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, HelpNote, Paragraph, TextLink } from "#api/messaging/emails/template.tsx";

/** Notifies the owner of an account that a token was created, in case somebody else created it. */
export const personalAccessToken = defineEmail({
  name: "personal-access-token",
  sample: ({ at, publicUrl }) => ({
    /** Name chosen by the owner of the token. */
    name: "Nightly licence export",
    /** Labels of the scopes. */
    scopes: ["Read licences", "Read billing"] as readonly string[],
    expiresAt: at,
    at,
    /** Browser and operating system. */
    browser: "Chrome on Windows",
    ip: "203.0.113.7",
    /** Link that secures the account. */
    notMe: `${publicUrl}/not-me/?t=secret`,
  }),
  subject: () => `A personal access token was added to your ${brand.name} account`,
  preview: ({ name }) => `${name}. If this was you, you don't need to do anything.`,
  heading: () => "A personal access token was created",
  body: ({ name, scopes, expiresAt, at, browser, ip, notMe }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        A program with this token can access your account without your password, within the scopes of the token.
      </Paragraph>
      <Facts
        facts={[
          ["Name", name],
          ["Scopes", scopes.join(", ")],
          ["Expires", dateTime(expiresAt)],
          ["Created", dateTime(at)],
          ["Browser", browser],
          ["IP address", ip],
        ]}
      />
      <Paragraph>
        If this wasn't you, secure your account: this revokes the token, signs you out everywhere, and lets you choose a
        new password. The link works once, within 7 days.
      </Paragraph>
      <Button href={notMe}>This wasn't me</Button>
      <Paragraph>
        <TextLink href={`${publicUrl}/personal-access-tokens/`}>View tokens</TextLink>
      </Paragraph>
      <HelpNote when="you can't sign in or need help" />
    </>
  ),
});
