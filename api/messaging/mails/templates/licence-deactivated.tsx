import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface LicenceDeactivatedData {
  readonly firstName: string;
  /** Label of the product level. */
  readonly subscriptionLevel: string;
  readonly supportCode: string;
  readonly at: Date;
  /** A subscription was running behind the licence; it ends too. */
  readonly endsSubscription: boolean;
}

/** A licence ended for good by the vendor's staff: whoever uses it should hear of it from us, not from the add-in. */
export const licenceDeactivated: MailTemplate<LicenceDeactivatedData> = {
  subject: ({ subscriptionLevel }) => `Your ${brand.productName} ${subscriptionLevel} licence was deactivated`,
  preview: () => "The add-in no longer runs on it.",
  because: `You get this mail because a licence at ${brand.name} was yours.`,
  body: ({ firstName, subscriptionLevel, supportCode, at, endsSubscription }) => (
    <>
      <Heading>A licence was deactivated</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        We have deactivated your licence of {brand.productName} {subscriptionLevel}. The add-in no longer runs on it;
        files you have converted stay yours.
      </Paragraph>
      <Facts
        facts={[
          ["Support code", supportCode],
          ["Deactivated", dayAndTime(at)],
        ]}
      />
      {endsSubscription && (
        <Paragraph>The subscription behind it ends too: your card will not be charged for it again.</Paragraph>
      )}
      <Note>
        Did you not expect this? Write to <Support /> and tell us the support code.
      </Note>
    </>
  ),
};
