import { brand } from "#schema/brand.ts";
import { formatSellerDateTime, type EmailTemplate } from "./email-template.ts";
import { Button, Heading, Hello, LicenceCode, Note, Paragraph, Support, TextLink } from "./parts.tsx";

export interface TrialStartedData {
  readonly firstName: string;
  readonly licenceCode: string;
  readonly expiresAt: Date;
  readonly conversionLimit: number;
}

/** Delivers the licence code of a new trial, and explains how to use it. */
export const trialStarted: EmailTemplate<TrialStartedData> = {
  subject: () => `Your ${brand.productName} trial has started`,
  preview: () => "Your licence code and how to use it.",
  because: `You're receiving this email because you started a trial at ${brand.name}.`,
  body: ({ firstName, licenceCode, expiresAt, conversionLimit }, { publicUrl }) => (
    <>
      <Heading>Your trial has started</Heading>
      <Hello firstName={firstName} />
      <Paragraph>This is your licence code:</Paragraph>
      <LicenceCode code={licenceCode} />
      <Paragraph>Download and install {brand.productName}, then enter the code in the add-in.</Paragraph>
      <Button href={`${publicUrl}${brand.installerPath}`}>Download {brand.productName}</Button>
      <Paragraph>
        The trial ends on {formatSellerDateTime(expiresAt)} or after {conversionLimit} conversions, whichever comes
        first. It ends automatically, so you don't need to cancel it.
      </Paragraph>
      <Note>
        You can find the code and deactivate a device at any time in your account:{" "}
        <TextLink href={`${publicUrl}/my-account/`}>{`${publicUrl}/my-account/`}</TextLink>
      </Note>
      <Note>
        If you need help, email <Support />
      </Note>
    </>
  ),
};
