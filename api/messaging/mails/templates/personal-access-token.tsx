import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface PersonalAccessTokenData {
  readonly firstName: string;
  /** What its owner calls it. */
  readonly name: string;
  /** What it may do, as labels. */
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
  readonly at: Date;
  /** Browser and system in words. */
  readonly browser: string;
  readonly ip: string;
}

/** Tells the owner that there is another way into the account, so that a thief cannot make one unnoticed. */
export const personalAccessToken: MailTemplate<PersonalAccessTokenData> = {
  subject: () => `A personal access token was made for your ${brand.name} account`,
  preview: ({ name }) => `${name}. If this was you, there is nothing to do.`,
  because: `You get this mail because this address belongs to an account at ${brand.name}.`,
  body: ({ firstName, name, scopes, expiresAt, at, browser, ip }, { publicUrl }) => (
    <>
      <Heading>A personal access token was made</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        A program that has this token can use your account without your password, as far as the scopes of the token go.
      </Paragraph>
      <Facts
        facts={[
          ["Name", name],
          ["Scopes", scopes.join(", ")],
          ["Expires", dayAndTime(expiresAt)],
          ["Made", dayAndTime(at)],
          ["Browser", browser],
          ["IP address", ip],
        ]}
      />
      <Paragraph>If it was not you, revoke the token and change your password at once.</Paragraph>
      <Button href={`${publicUrl}/personal-access-tokens/`}>See my tokens</Button>
      <Note>
        You can't sign in any more, or something else is wrong? Write to <Support />
      </Note>
    </>
  ),
};
