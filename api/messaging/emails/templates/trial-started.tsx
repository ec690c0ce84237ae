import { brand } from "#schema/brand.ts";
import {
  Button,
  defineEmail,
  HelpNote,
  LicenceCode,
  Note,
  Paragraph,
  TextLink,
} from "#api/messaging/emails/template.tsx";

/** Delivers the licence code of a new trial, and explains how to use it. */
export const trialStarted = defineEmail({
  name: "trial-started",
  hasCode: true,
  sample: ({ at }) => ({ licenceCode: "7K3QM-X9D4T-B2HNV-5RCWE-8GJ6P-ZFY1A", expiresAt: at, conversionLimit: 20 }),
  subject: () => `Your ${brand.productName} trial has started`,
  preview: () => "Your licence code and how to use it.",
  because: `you started a trial at ${brand.name}.`,
  heading: () => "Your trial has started",
  body: ({ licenceCode, expiresAt, conversionLimit }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>This is your licence code:</Paragraph>
      <LicenceCode code={licenceCode} />
      <Paragraph>Download and install {brand.productName}, then enter the code in the add-in.</Paragraph>
      <Button href={`${publicUrl}${brand.installerPath}`}>Download {brand.productName}</Button>
      <Paragraph>
        The trial ends on {dateTime(expiresAt)} or after {conversionLimit} conversions, whichever comes first. It ends
        automatically, so you don't need to cancel it.
      </Paragraph>
      <Note>
        You can find the code and deactivate a device at any time in your account:{" "}
        <TextLink href={`${publicUrl}/my-account/`}>{`${publicUrl}/my-account/`}</TextLink>
      </Note>
      <HelpNote when="you need help" />
    </>
  ),
});
