import { brand } from "#schema/brand.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

interface UpdateCardData {
  readonly plan: string;
  readonly cardLast4: string | null;
  /** The failed payment, in cents including GST, with the bank's reason; null if nothing is overdue. */
  readonly overdue: { readonly amountCents: number; readonly reason: string | null } | null;
}

/** Leads a subscriber to the page where they can replace their card, on request of staff. */
export const updateCard = defineEmail<UpdateCardData>({
  name: "update-card",
  sample: () => ({
    plan: "Professional",
    cardLast4: "0341",
    overdue: { amountCents: 16_495, reason: "Insufficient funds" },
  }),
  subject: () => `Update the card for your ${brand.productName} subscription`,
  preview: () => "It takes a minute.",
  because: `you have a subscription at ${brand.name}.`,
  heading: () => "Update your card",
  body: ({ plan, cardLast4, overdue }, { publicUrl }) => (
    <>
      <Paragraph>
        Please check the card{cardLast4 ? ` ending ${cardLast4}` : ""} that pays for your {brand.productName} {plan}{" "}
        subscription.
      </Paragraph>
      {overdue && (
        <Paragraph>
          The last payment of {formatAud(overdue.amountCents)} failed
          {overdue.reason ? `. The bank's reason: ${overdue.reason}` : ""}. We'll charge it to the new card immediately.
        </Paragraph>
      )}
      <Button href={`${publicUrl}/manage-payment-details/`}>Update Card</Button>
      <Note>
        Never send card details by email. If you have questions, email <Support />
      </Note>
    </>
  ),
});
