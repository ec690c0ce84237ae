import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

interface LicenceExpiringData {
  readonly subscriptionLevel: string;
  readonly supportCode: string;
  readonly expiresAt: Date;
  /** Whole days until the licence expires, at least 1. */
  readonly daysLeft: number;
  /**
   * How the customer keeps the licence: subscribe online, resume its cancelled subscription, or ask us, such as a corporate
   * customer and one who subscribes with another licence.
   */
  readonly renewal: "subscribe" | "resume" | "ask";
  /** Number of the open invoice that extends the licence when it is paid. */
  readonly invoice: string | null;
}

/** Reminds a customer 30, 7 and 1 days before a licence without a subscription expires. */
export const licenceExpiring = defineEmail<LicenceExpiringData>({
  name: "licence-expiring",
  sample: ({ at }) => ({
    subscriptionLevel: "Professional",
    supportCode: "S-7K3QMX9D",
    expiresAt: at,
    daysLeft: 7,
    renewal: "subscribe",
    invoice: null,
  }),
  // Several licences of a customer may end on the same day.
  subject: ({ daysLeft, supportCode }) =>
    `Your ${brand.productName} licence ends ${formatDaysLeft(daysLeft)} (${supportCode})`,
  preview: ({ expiresAt }, { dateTime }) => `Your licence is valid until ${dateTime(expiresAt)}.`,
  because: `you have a licence at ${brand.name}.`,
  heading: ({ daysLeft }) => `Your licence ends ${formatDaysLeft(daysLeft)}`,
  body: ({ subscriptionLevel, supportCode, expiresAt, renewal, invoice }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        After that, the add-in can no longer convert files on the devices of this licence. You can keep the files you
        have converted.
      </Paragraph>
      <Facts
        facts={[
          ["Licence", `${brand.productName} ${subscriptionLevel}`],
          ["Ends", dateTime(expiresAt)],
          ["Support code", supportCode],
        ]}
      />
      {invoice ? (
        <>
          <Paragraph>
            To continue without interruption, pay invoice {invoice} before then. The licence is extended when the
            payment has arrived.
          </Paragraph>
          <Button href={`${publicUrl}/tax-invoices/`}>View invoices</Button>
        </>
      ) : renewal === "ask" ? (
        <>
          <Paragraph>
            To continue without interruption, email <Support /> before then and include the support code.
          </Paragraph>
          <Button href={`${publicUrl}/my-account/`}>View my account</Button>
        </>
      ) : (
        <>
          <Paragraph>
            To continue without interruption,{" "}
            {renewal === "resume" ? "resume your subscription." : "choose a subscription in your account before then."}
          </Paragraph>
          <Button href={`${publicUrl}/manage-subscription/`}>
            {renewal === "resume" ? "Resume subscription" : "Choose a subscription"}
          </Button>
          <Note>
            Your licence doesn't renew automatically, and you won't be charged. If you have questions, email <Support />{" "}
            and include the support code.
          </Note>
        </>
      )}
    </>
  ),
});

function formatDaysLeft(days: number): string {
  return days === 1 ? "within a day" : `in ${days} days`;
}
