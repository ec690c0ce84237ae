import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, HelpNote, Paragraph } from "#api/messaging/emails/template.tsx";

export type TwoStepChange =
  | { kind: "on" | "off" | "app-added" | "app-removed" | "recovery-codes-renewed" | "cleared" }
  | { kind: "passkey-added" | "passkey-removed"; name: string };

interface TwoStepChangedData {
  readonly at: Date;
  readonly change: TwoStepChange;
}

const texts: Record<TwoStepChange["kind"], { subject: string; heading: string; meaning: string }> = {
  on: {
    subject: "Two-step sign-in was turned on",
    heading: "Two-step sign-in is on",
    meaning:
      "From now on, your password alone doesn't sign you in. You also need a second step. Your current sessions stay signed in.",
  },
  off: {
    subject: "Two-step sign-in was turned off",
    heading: "Two-step sign-in is off",
    meaning: "You can sign in with your password alone again. Your recovery codes no longer work.",
  },
  "app-added": {
    subject: "An authenticator app was added",
    heading: "An authenticator app was added",
    meaning:
      "You can use codes from this app as the second step when you sign in. Codes from an earlier app no longer work.",
  },
  "app-removed": {
    subject: "The authenticator app was removed",
    heading: "The authenticator app was removed",
    meaning: "Codes from this app are no longer accepted when you sign in.",
  },
  "passkey-added": {
    subject: "A passkey was added",
    heading: "A passkey was added",
    meaning: "You can sign in with this passkey without your password, or use it as the second step.",
  },
  "passkey-removed": {
    subject: "A passkey was removed",
    heading: "A passkey was removed",
    meaning: "This passkey is no longer accepted when you sign in.",
  },
  cleared: {
    subject: "Our support team turned off two-step sign-in",
    heading: "Two-step sign-in was turned off for you",
    meaning:
      "Our support team turned it off because we received a report that your sign-in methods and recovery codes were lost. You are signed out everywhere, and you can sign in with your password alone. Please sign in and turn on two-step sign-in again.",
  },
  "recovery-codes-renewed": {
    subject: "Your recovery codes were replaced",
    heading: "You have new recovery codes",
    meaning: "The recovery codes you had before no longer work.",
  },
};

/** Notifies the owner of an account that its two-step sign-in was changed, in case somebody else changed it. */
export const twoStepChanged = defineEmail<TwoStepChangedData>({
  name: "two-step-changed",
  sample: ({ at }) => ({ at, change: { kind: "passkey-added", name: "Office laptop" } }),
  subject: ({ change }) => `${texts[change.kind].subject} at ${brand.name}`,
  preview: () => "If this wasn't you, change your password immediately.",
  heading: ({ change }) => texts[change.kind].heading,
  body: ({ at, change }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>{texts[change.kind].meaning}</Paragraph>
      <Facts facts={[...("name" in change ? [["Passkey", change.name] as const] : []), ["Changed", dateTime(at)]]} />
      <Paragraph>
        {change.kind === "cleared"
          ? "If you didn't request this, change your password immediately, email us, and check your sign-in methods:"
          : "If this was you, you don't need to do anything. If it wasn't, change your password immediately and check your sign-in methods:"}
      </Paragraph>
      <Button href={`${publicUrl}/two-step-sign-in/`}>Manage two-step sign-in</Button>
      <HelpNote when="you can't sign in" />
    </>
  ),
});
