import { brand } from "#schema/brand.ts";
import { defineEmail, Facts, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Notifies a user that staff reinstated a licence that they had deactivated. */
export const licenceReinstated = defineEmail({
  name: "licence-reinstated",
  sample: ({ at }) => ({
    /** Label of the product level. */
    subscriptionLevel: "Professional",
    supportCode: "S-7K3QMX9D",
    expiresAt: at,
  }),
  subject: ({ subscriptionLevel }) => `Your ${brand.productName} ${subscriptionLevel} licence works again`,
  preview: () => "We reinstated the licence with its code and devices.",
  because: `you have a licence at ${brand.name}.`,
  heading: () => "Your licence works again",
  body: ({ subscriptionLevel, supportCode, expiresAt }, { dateTime }) => (
    <>
      <Paragraph>
        We reinstated your {brand.productName} {subscriptionLevel} licence. You can use it with the same licence code
        and on the same devices as before.
      </Paragraph>
      <Facts
        facts={[
          ["Support code", supportCode],
          ["Expires", dateTime(expiresAt)],
        ]}
      />
      <Note>
        If you didn't expect this, email <Support /> and include the support code.
      </Note>
    </>
  ),
});
