import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface SubscriptionEndedData {
  readonly firstName: string;
  readonly plan: string;
  /** The customer had cancelled it; otherwise its payments failed. */
  readonly wasCancelled: boolean;
}

/** The end of a subscription, cancelled or unpaid. */
export const subscriptionEnded: MailTemplate<SubscriptionEndedData> = {
  subject: () => `Your ${brand.productName} subscription has ended`,
  preview: () => "You can subscribe again at any time.",
  because: `You get this mail because you subscribed at ${brand.name}.`,
  body: ({ firstName, plan, wasCancelled }, { publicUrl }) => (
    <>
      <Heading>Your subscription has ended</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        {wasCancelled
          ? `Your ${brand.productName} ${plan} subscription has ended, as you asked. Your card will not be charged again.`
          : `Your ${brand.productName} ${plan} subscription has ended. Your card will not be charged again.`}
      </Paragraph>
      <Paragraph>
        The add-in no longer converts; files you have converted stay yours. You can subscribe again at any time.
      </Paragraph>
      <Button href={`${publicUrl}/manage-subscription/`}>Subscribe again</Button>
      <Note>
        Questions? Write to <Support />
      </Note>
    </>
  ),
};
