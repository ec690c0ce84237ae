import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface NewSignInData {
  readonly firstName: string;
  readonly at: Date;
  /** Browser and system in words. */
  readonly browser: string;
  readonly ip: string;
}

/** Somebody signed in from where this account never was. */
export const newSignIn: MailTemplate<NewSignInData> = {
  subject: () => `New sign-in to your ${brand.name} account`,
  preview: ({ browser }) => `${browser}. If this was you, there is nothing to do.`,
  because: `You get this mail because this address belongs to an account at ${brand.name}.`,
  body: ({ firstName, at, browser, ip }, { publicUrl }) => (
    <>
      <Heading>New sign-in to your account</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Your account was signed in to from a browser or network that we have not seen in the last 90 days. If this was
        you, there is nothing to do.
      </Paragraph>
      <Facts
        facts={[
          ["Time", dayAndTime(at)],
          ["Browser", browser],
          ["IP address", ip],
        ]}
      />
      <Paragraph>If it was not you, end that session and change your password at once.</Paragraph>
      <Button href={`${publicUrl}/sessions/`}>See where I am signed in</Button>
      <Note>
        You can't sign in any more, or something else is wrong? Write to <Support />
      </Note>
    </>
  ),
};
