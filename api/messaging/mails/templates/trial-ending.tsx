import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface TrialEndingData {
  readonly firstName: string;
  readonly expiresAt: Date;
}

/** Three days before a trial runs out. */
export const trialEnding: MailTemplate<TrialEndingData> = {
  subject: () => `Your ${brand.productName} trial ends soon`,
  preview: ({ expiresAt }) => `It runs until ${dayAndTime(expiresAt)}.`,
  because: `You get this mail because you have a trial at ${brand.name}.`,
  body: ({ firstName, expiresAt }, { publicUrl }) => (
    <>
      <Heading>Your trial ends soon</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Your trial of {brand.productName} runs until {dayAndTime(expiresAt)}. After that the add-in no longer converts;
        files you have converted stay yours.
      </Paragraph>
      <Paragraph>To carry on without a break, choose a subscription in your account before then.</Paragraph>
      <Button href={`${publicUrl}/my-account/`}>Go to my account</Button>
      <Note>
        You need not do anything to end the trial, and you will not be charged. Questions? Write to <Support />
      </Note>
    </>
  ),
};
