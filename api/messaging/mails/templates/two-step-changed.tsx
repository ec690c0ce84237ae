import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

/** What has changed in an account's two-step sign-in. */
export type TwoStepChange =
  | { kind: "on" | "off" | "app-added" | "app-removed" | "recovery-codes-renewed" | "cleared" }
  | { kind: "passkey-added" | "passkey-removed"; name: string };

export interface TwoStepChangedData {
  readonly firstName: string;
  readonly at: Date;
  readonly change: TwoStepChange;
}

const words: Record<TwoStepChange["kind"], { subject: string; heading: string; meaning: string }> = {
  on: {
    subject: "Two-step sign-in was turned on",
    heading: "Two-step sign-in is on",
    meaning:
      "From now on signing in asks for your password and for a second step. Where you are signed in, you stay so.",
  },
  off: {
    subject: "Two-step sign-in was turned off",
    heading: "Two-step sign-in is off",
    meaning: "Your password alone opens your account again. Your recovery codes no longer work.",
  },
  "app-added": {
    subject: "An authenticator app was added",
    heading: "An authenticator app was added",
    meaning: "Codes of this app are accepted as the second step when you sign in. Those of an earlier app are not.",
  },
  "app-removed": {
    subject: "The authenticator app was removed",
    heading: "The authenticator app was removed",
    meaning: "Codes of this app are no longer accepted when you sign in.",
  },
  "passkey-added": {
    subject: "A passkey was added",
    heading: "A passkey was added",
    meaning: "This passkey is accepted as the second step when you sign in.",
  },
  "passkey-removed": {
    subject: "A passkey was removed",
    heading: "A passkey was removed",
    meaning: "This passkey is no longer accepted when you sign in.",
  },
  cleared: {
    subject: "Our support turned two-step sign-in off",
    heading: "Two-step sign-in was turned off for you",
    meaning:
      "Our support turned it off because we were told that its methods and recovery codes are lost. You are signed out everywhere, and your password alone opens your account. Please sign in and turn two-step sign-in on again.",
  },
  "recovery-codes-renewed": {
    subject: "Your recovery codes were replaced",
    heading: "You have new recovery codes",
    meaning: "The recovery codes you had before no longer work.",
  },
};

/** Tells the owner that the ways into the account are others, so that a thief cannot change them unnoticed. */
export const twoStepChanged: MailTemplate<TwoStepChangedData> = {
  subject: ({ change }) => `${words[change.kind].subject} at ${brand.name}`,
  preview: () => "If it was not you, change your password at once.",
  because: `You get this mail because this address belongs to an account at ${brand.name}.`,
  body: ({ firstName, at, change }, { publicUrl }) => (
    <>
      <Heading>{words[change.kind].heading}</Heading>
      <Hello firstName={firstName} />
      <Paragraph>{words[change.kind].meaning}</Paragraph>
      <Facts facts={[...("name" in change ? [["Passkey", change.name] as const] : []), ["Changed", dayAndTime(at)]]} />
      <Paragraph>
        {change.kind === "cleared"
          ? "If you did not ask for this, change your password at once and write to us. Your sign-in methods:"
          : "If it was you, there is nothing to do. If it was not you, change your password at once and look at your sign-in methods:"}
      </Paragraph>
      <Button href={`${publicUrl}/two-step-sign-in/`}>See my two-step sign-in</Button>
      <Note>
        You cannot get in any more? Write to <Support />
      </Note>
    </>
  ),
};
