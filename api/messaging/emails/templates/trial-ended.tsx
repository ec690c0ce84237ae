import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Notifies a customer that the trial has ended because its time or its conversions ran out. */
export const trialEnded = defineEmail({
  name: "trial-ended",
  sample: () => ({
    /** True if the customer can subscribe online. */
    canSubscribe: true,
  }),
  subject: () => `Your ${brand.productName} trial has ended`,
  preview: ({ canSubscribe }) => `${canSubscribe ? "Subscribe" : "Email us"} to keep converting files.`,
  because: `you had a trial at ${brand.name}.`,
  heading: () => "Your trial has ended",
  body: ({ canSubscribe }, { publicUrl }) => (
    <>
      <Paragraph>
        Thank you for trying {brand.productName}. Your trial has ended, and the add-in can no longer convert files. You
        can keep the files you have converted. You haven't been charged.
      </Paragraph>
      {canSubscribe ? (
        <Paragraph>To keep converting files, choose a subscription in your account.</Paragraph>
      ) : (
        <Paragraph>
          To keep converting files, email <Support />
        </Paragraph>
      )}
      <Button href={`${publicUrl}/my-account/`}>View my account</Button>
      <Note>
        If {brand.productName} isn't quite what you need, let us know what was missing: <Support />
      </Note>
    </>
  ),
});
