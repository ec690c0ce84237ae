import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, LinkInFull, Note, Paragraph, Support, TextLink } from "./parts.tsx";

export interface AlreadyRegisteredData {
  readonly signInLink: string;
  readonly resetLink?: string;
  /** What somebody wanted the address for; a new account when absent. */
  readonly wantedBy?: "other-account";
}

/**
 * Tells the owner of an address that somebody registered with it again, or asked for it in another account; the page itself answers as for a
 * new address, so that nobody learns who has an account (docs/domain.md#no-account-disclosure).
 */
export const alreadyRegistered: MailTemplate<AlreadyRegisteredData> = {
  subject: () => `You already have an account at ${brand.name}`,
  preview: ({ wantedBy }) => `Somebody tried to ${attempt(wantedBy)} your address.`,
  because: `You get this mail because this address belongs to an account at ${brand.name}.`,
  body: ({ signInLink, resetLink, wantedBy }) => (
    <>
      <Heading>You already have an account</Heading>
      <Paragraph>
        Somebody, probably you, tried to {attempt(wantedBy)} this email address. It has an account already, so nothing
        was done. You can simply sign in.
      </Paragraph>
      <Button href={signInLink}>Sign in</Button>
      <LinkInFull href={signInLink} />
      {resetLink ? (
        <Paragraph>
          Forgot your password? <TextLink href={resetLink}>Choose a new one</TextLink>
        </Paragraph>
      ) : null}
      <Note>
        If it was not you, nothing is lost: your account has not changed. If it happens again, write to <Support />
      </Note>
    </>
  ),
};

function attempt(wantedBy: AlreadyRegisteredData["wantedBy"]): string {
  return wantedBy ? "give another account" : "create an account with";
}
