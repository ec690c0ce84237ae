import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Reminds a customer three days before a trial ends. */
export const trialEnding = defineEmail({
  name: "trial-ending",
  sample: ({ at }) => ({
    expiresAt: at,
    /** True if the customer can subscribe online. */
    canSubscribe: true,
  }),
  subject: () => `Your ${brand.productName} trial ends soon`,
  preview: ({ expiresAt }, { dateTime }) => `Your trial ends on ${dateTime(expiresAt)}.`,
  because: `you have a trial at ${brand.name}.`,
  heading: () => "Your trial ends soon",
  body: ({ expiresAt, canSubscribe }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        Your {brand.productName} trial ends on {dateTime(expiresAt)}. After that, the add-in can no longer convert
        files. You can keep the files you have converted.
      </Paragraph>
      {canSubscribe ? (
        <Paragraph>To continue without interruption, choose a subscription in your account before then.</Paragraph>
      ) : (
        <Paragraph>
          To continue without interruption, email <Support /> before then.
        </Paragraph>
      )}
      <Button href={`${publicUrl}/my-account/`}>View my account</Button>
      <Note>
        The trial ends automatically, and you won't be charged. If you have questions, email <Support />
      </Note>
    </>
  ),
});
