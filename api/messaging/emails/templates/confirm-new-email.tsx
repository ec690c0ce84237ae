import { brand } from "#schema/brand.ts";
import { Button, defineEmail, LinkInFull, Note, Paragraph } from "#api/messaging/emails/template.tsx";

/**
 * Requests confirmation of an account's new email address. The email doesn't mention the old address, because a
 * mistyped new address may belong to a stranger.
 */
export const confirmNewEmail = defineEmail({
  name: "confirm-new-email",
  sample: ({ publicUrl }) => ({ link: `${publicUrl}/confirm-email?t=secret` }),
  subject: () => `Confirm your new email address for ${brand.name}`,
  preview: () => "Confirm this address to sign in with it.",
  because: `the owner of an account at ${brand.name} requested to use this address.`,
  heading: () => "Confirm your new email address",
  body: ({ link }) => (
    <>
      <Paragraph>
        You requested to use this address for your account. Confirm that it's yours. Until then, sign in with your old
        address.
      </Paragraph>
      <Button href={link}>Confirm my new email address</Button>
      <LinkInFull href={link} />
      <Note>The link works once and expires in 3 days. If you request another link, only the newest one works.</Note>
      <Note>If you didn't request this, ignore this email. Nothing changes until the address is confirmed.</Note>
    </>
  ),
});
