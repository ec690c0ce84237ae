import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support, TextLink } from "./parts.tsx";

export interface PasswordChangedData {
  readonly firstName: string;
  readonly at: Date;
  /** Personal access tokens that go on working. */
  readonly liveTokens: number;
}

/** Tells the owner that the password is another one, so that a thief cannot change it unnoticed. */
export const passwordChanged: MailTemplate<PasswordChangedData> = {
  subject: () => `Your password for ${brand.name} was changed`,
  preview: () => "If it was not you, choose a new one at once.",
  because: `You get this mail because this address belongs to an account at ${brand.name}.`,
  body: ({ firstName, at, liveTokens }, { publicUrl }) => (
    <>
      <Heading>Your password was changed</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        The password of your account is now a new one. Everywhere else your account was signed in, it has been signed
        out.
      </Paragraph>
      <Facts facts={[["Changed", dayAndTime(at)]]} />
      {liveTokens > 0 && (
        <Paragraph>
          {liveTokens === 1 ? "One personal access token goes" : `${liveTokens} personal access tokens go`} on working.{" "}
          Revoke what you do not know: <TextLink href={`${publicUrl}/personal-access-tokens/`}>your tokens</TextLink>
        </Paragraph>
      )}
      <Paragraph>If it was you, there is nothing to do. If it was not you, choose a new password at once:</Paragraph>
      <Button href={`${publicUrl}/forgot-password/`}>Reset my password</Button>
      <Note>
        You cannot get in any more? Write to <Support />
      </Note>
    </>
  ),
};
