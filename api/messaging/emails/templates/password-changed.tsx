import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, HelpNote, Paragraph, TextLink } from "#api/messaging/emails/template.tsx";

/** Notifies the owner of an account that the password was changed, in case somebody else changed it. */
export const passwordChanged = defineEmail({
  name: "password-changed",
  sample: ({ at, publicUrl }) => ({
    at,
    /** Number of personal access tokens that still work. */
    liveTokens: 2,
    /** Set if the user's personal access tokens were revoked and their webhook endpoints turned off. */
    endedPrograms: false,
    /** Link that secures the account. */
    notMe: `${publicUrl}/not-me/?t=secret`,
  }),
  subject: () => `Your password for ${brand.name} was changed`,
  preview: () => "If this wasn't you, choose a new password immediately.",
  heading: () => "Your password was changed",
  body: ({ at, liveTokens, endedPrograms, notMe }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>The password of your account was changed. You have been signed out of all other sessions.</Paragraph>
      <Facts facts={[["Changed", dateTime(at)]]} />
      {liveTokens > 0 && (
        <Paragraph>
          {liveTokens === 1
            ? "One personal access token still works."
            : `${liveTokens} personal access tokens still work.`}{" "}
          <TextLink href={`${publicUrl}/personal-access-tokens/`}>Revoke any tokens that you don't recognise</TextLink>
        </Paragraph>
      )}
      {endedPrograms && (
        <Paragraph>
          Your personal access tokens were revoked and your webhook endpoints were turned off. Create new tokens, and
          check the endpoints before you turn them on again.
        </Paragraph>
      )}
      <Paragraph>
        If this was you, you don't need to do anything. If it wasn't, secure your account and choose a new password. The
        link works once, within 7 days.
      </Paragraph>
      <Button href={notMe}>This wasn't me</Button>
      <HelpNote when="you can't sign in" />
    </>
  ),
});
