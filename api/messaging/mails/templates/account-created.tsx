import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, LinkInFull, Note, Paragraph, Support } from "./parts.tsx";

export interface AccountCreatedData {
  readonly firstName: string;
  /** The address to sign in with. */
  readonly email: string;
  readonly link: string;
}

/** The first mail to somebody whose account the vendor's staff created; it never holds the password. */
export const accountCreated: MailTemplate<AccountCreatedData> = {
  subject: () => `Your ${brand.name} account is ready`,
  preview: () => "Choose a password of your own and sign in.",
  because: `You get this mail because our staff created an account with this address at ${brand.name}.`,
  body: ({ firstName, email, link }) => (
    <>
      <Heading>Your account is ready</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        We have created an account for you. Please choose a password that only you know; you are signed in then, and
        find your licences under My Account.
      </Paragraph>
      <Facts facts={[["You sign in with", email]]} />
      <Button href={link}>Choose my password</Button>
      <LinkInFull href={link} />
      <Note>The link works once, for 3 days. After that, choose Forgot Password on the sign-in page.</Note>
      <Note>
        If you did not expect this mail, tell us, and we close the account: <Support />
      </Note>
    </>
  ),
};
