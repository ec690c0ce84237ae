import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface TrialEndedData {
  readonly firstName: string;
}

/** A trial ran out, by its date or by its conversions. */
export const trialEnded: MailTemplate<TrialEndedData> = {
  subject: () => `Your ${brand.productName} trial has ended`,
  preview: () => "Subscribe to carry on where you stopped.",
  because: `You get this mail because you had a trial at ${brand.name}.`,
  body: ({ firstName }, { publicUrl }) => (
    <>
      <Heading>Your trial has ended</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Thank you for trying {brand.productName}. The trial is over and the add-in no longer converts; files you have
        converted stay yours. You have not been charged.
      </Paragraph>
      <Paragraph>Choose a subscription in your account, and you carry on where you stopped.</Paragraph>
      <Button href={`${publicUrl}/my-account/`}>Go to my account</Button>
      <Note>
        Not quite what you needed? Tell us what was missing: <Support />
      </Note>
    </>
  ),
};
