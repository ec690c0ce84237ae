import { brand } from "#schema/brand.ts";
import { formatSellerDate, type MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface SubscriptionCancelledData {
  readonly firstName: string;
  readonly plan: string;
  readonly endsAt: Date;
}

/** A cancellation at the end of the period. */
export const subscriptionCancelled: MailTemplate<SubscriptionCancelledData> = {
  subject: () => `Your ${brand.productName} subscription is cancelled`,
  preview: ({ endsAt }) => `Your licence runs until ${formatSellerDate(endsAt)}.`,
  because: `You get this mail because you cancelled a subscription at ${brand.name}.`,
  body: ({ firstName, plan, endsAt }, { publicUrl }) => (
    <>
      <Heading>Your subscription is cancelled</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        You cancelled {brand.productName} {plan}. Your card will not be charged again, and your licence runs until{" "}
        {formatSellerDate(endsAt)}.
      </Paragraph>
      <Paragraph>Changed your mind? Until that day you can resume the subscription with one click.</Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Resume my subscription</Button>
      <Note>
        You did not cancel it? Please write to <Support />
      </Note>
    </>
  ),
};
