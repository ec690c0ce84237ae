import { brand } from "#schema/brand.ts";
import { defineEmail, Facts, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Notifies a user that staff deactivated a licence, so they don't find out from the add-in. */
export const licenceDeactivated = defineEmail({
  name: "licence-deactivated",
  sample: ({ at }) => ({
    /** Label of the product level. */
    subscriptionLevel: "Professional",
    supportCode: "S-7K3QMX9D",
    at,
    /** True if the licence belonged to a running subscription, which also ends. */
    endsSubscription: true,
  }),
  subject: ({ subscriptionLevel }) => `Your ${brand.productName} ${subscriptionLevel} licence was deactivated`,
  preview: () => "The add-in no longer works with this licence.",
  because: `you had a licence at ${brand.name}.`,
  heading: () => "Your licence was deactivated",
  body: ({ subscriptionLevel, supportCode, at, endsSubscription }, { dateTime }) => (
    <>
      <Paragraph>
        We deactivated your {brand.productName} {subscriptionLevel} licence. The add-in no longer works with it. You can
        keep the files you have converted.
      </Paragraph>
      <Facts
        facts={[
          ["Support code", supportCode],
          ["Deactivated", dateTime(at)],
        ]}
      />
      {endsSubscription && (
        <Paragraph>The subscription for this licence also ends. Your card won't be charged for it again.</Paragraph>
      )}
      <Note>
        If you didn't expect this, email <Support /> and include the support code.
      </Note>
    </>
  ),
});
