import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Heading, Hello, LicenceCode, Note, Paragraph, Support, TextLink } from "./parts.tsx";

export interface TrialStartedData {
  readonly firstName: string;
  readonly licenceCode: string;
  readonly expiresAt: Date;
  readonly conversionLimit: number;
}

/** The licence code of a new trial and how to use it. */
export const trialStarted: MailTemplate<TrialStartedData> = {
  subject: () => `Your ${brand.productName} trial has started`,
  preview: () => "Here is your licence code, and how to use it.",
  because: `You get this mail because you started a trial at ${brand.name}.`,
  body: ({ firstName, licenceCode, expiresAt, conversionLimit }, { publicUrl }) => (
    <>
      <Heading>Your trial has started</Heading>
      <Hello firstName={firstName} />
      <Paragraph>This is your licence code:</Paragraph>
      <LicenceCode code={licenceCode} />
      <Paragraph>
        Download {brand.productName} and install it, then enter the code when the add-in asks for it.
      </Paragraph>
      <Button href={`${publicUrl}${brand.installerPath}`}>Download {brand.productName}</Button>
      <Paragraph>
        The trial runs until {dayAndTime(expiresAt)} or until you have made {conversionLimit} conversions, whichever
        comes first. It ends by itself: there is nothing to cancel.
      </Paragraph>
      <Note>
        You can look up the code and free a device at any time in your account:{" "}
        <TextLink href={`${publicUrl}/my-account/`}>{`${publicUrl}/my-account/`}</TextLink>
      </Note>
      <Note>
        Something does not work? Write to <Support />
      </Note>
    </>
  ),
};
