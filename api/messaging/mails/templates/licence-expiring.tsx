import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface LicenceExpiringData {
  readonly firstName: string;
  readonly subscriptionLevel: string;
  readonly supportCode: string;
  readonly expiresAt: Date;
  /** Whole days, at least 1. */
  readonly daysLeft: number;
  /** Subscribing is for people who buy for themselves. */
  readonly maySubscribe: boolean;
}

/** 30, 7 and 1 days before the end of a licence without a subscription behind it. */
export const licenceExpiring: MailTemplate<LicenceExpiringData> = {
  subject: ({ daysLeft }) => `Your ${brand.productName} licence ends ${inDays(daysLeft)}`,
  preview: ({ expiresAt }) => `It runs until ${dayAndTime(expiresAt)}.`,
  because: `You get this mail because you have a licence at ${brand.name}.`,
  body: ({ firstName, subscriptionLevel, supportCode, expiresAt, daysLeft, maySubscribe }, { publicUrl }) => (
    <>
      <Heading>Your licence ends {inDays(daysLeft)}</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        After that the add-in no longer converts on the devices of this licence. Files you have converted stay yours.
      </Paragraph>
      <Facts
        facts={[
          ["Licence", `${brand.productName} ${subscriptionLevel}`],
          ["Ends", dayAndTime(expiresAt)],
          ["Support code", supportCode],
        ]}
      />
      {maySubscribe ? (
        <>
          <Paragraph>To carry on without a break, choose a subscription in your account before then.</Paragraph>
          <Button href={`${publicUrl}/manage-subscription/`}>Choose a subscription</Button>
          <Note>
            Nothing renews by itself and you will not be charged. Questions? Write to <Support /> and name the support
            code.
          </Note>
        </>
      ) : (
        <>
          <Paragraph>
            To carry on without a break, write to <Support /> before then and name the support code.
          </Paragraph>
          <Button href={`${publicUrl}/my-account/`}>Go to my account</Button>
        </>
      )}
    </>
  ),
};

function inDays(days: number): string {
  return days === 1 ? "within a day" : `in ${days} days`;
}
