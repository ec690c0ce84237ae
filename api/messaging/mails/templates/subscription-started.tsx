import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, LicenceCode, Note, Paragraph, Support, TextLink } from "./parts.tsx";

export interface SubscriptionStartedData {
  readonly firstName: string;
  readonly plan: string;
  readonly licenceCode: string;
}

/** Welcome, the licence code and how to use it. */
export const subscriptionStarted: MailTemplate<SubscriptionStartedData> = {
  subject: ({ plan }) => `Your ${brand.productName} ${plan} subscription has started`,
  preview: () => "Welcome. Here is your licence code, and how to use it.",
  because: `You get this mail because you subscribed at ${brand.name}.`,
  body: ({ firstName, plan, licenceCode }, { publicUrl }) => (
    <>
      <Heading>Welcome to {plan}</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        Thank you for subscribing to {brand.productName} {plan}. This is your licence code:
      </Paragraph>
      <LicenceCode code={licenceCode} />
      <Paragraph>
        Download {brand.productName} and install it, then enter the code when the add-in asks for it. If it is installed
        already, enter the new code there.
      </Paragraph>
      <Button href={`${publicUrl}${brand.installerPath}`}>Download {brand.productName}</Button>
      <Paragraph>
        The code stays the same for as long as you are subscribed. Your tax invoice comes in a mail of its own.
      </Paragraph>
      <Note>
        Change, cancel or pay another way at any time:{" "}
        <TextLink href={`${publicUrl}/manage-subscription/`}>{`${publicUrl}/manage-subscription/`}</TextLink>
      </Note>
      <Note>
        Something does not work? Write to <Support />
      </Note>
    </>
  ),
};
