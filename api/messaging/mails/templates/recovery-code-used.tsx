import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface RecoveryCodeUsedData {
  readonly firstName: string;
  readonly at: Date;
  readonly codesLeft: number;
  /** Browser and system in words. */
  readonly browser: string;
  readonly ip: string;
}

/** A recovery code stood in for the app or a passkey. */
export const recoveryCodeUsed: MailTemplate<RecoveryCodeUsedData> = {
  subject: () => `A recovery code was used at ${brand.name}`,
  preview: ({ codesLeft }) => `${leftInWords(codesLeft)} If it was not you, change your password at once.`,
  because: `You get this mail because this address belongs to an account at ${brand.name}.`,
  body: ({ firstName, at, codesLeft, browser, ip }, { publicUrl }) => (
    <>
      <Heading>A recovery code was used</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        One of your recovery codes was used as the second step, and does not work again. {leftInWords(codesLeft)}
      </Paragraph>
      <Facts
        facts={[
          ["Time", dayAndTime(at)],
          ["Browser", browser],
          ["IP address", ip],
        ]}
      />
      <Paragraph>If it was not you, change your password at once and make new recovery codes.</Paragraph>
      <Button href={`${publicUrl}/two-step-sign-in/`}>See my two-step sign-in</Button>
      <Note>
        You cannot get in any more? Write to <Support />
      </Note>
    </>
  ),
};

function leftInWords(codesLeft: number): string {
  if (codesLeft === 0) return "It was your last one: make new ones now.";
  return codesLeft === 1 ? "You have 1 left: make new ones now." : `You have ${codesLeft} left.`;
}
