import { brand } from "#schema/brand.ts";
import { formatSellerDate, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, LicenceCode, Note, Paragraph, Support, TextLink } from "./parts.tsx";

export interface LicenceIssuedData {
  readonly firstName: string;
  /** Label of the product level. */
  readonly subscriptionLevel: string;
  readonly licenceCode: string;
  readonly expiresAt: Date;
}

/** Welcome, and the licence that the vendor's staff issued. */
export const licenceIssued: MailTemplate<LicenceIssuedData> = {
  subject: ({ subscriptionLevel }) => `Your ${brand.productName} ${subscriptionLevel} licence`,
  preview: () => "Welcome. Here is your licence code, and how to use it.",
  because: `You get this mail because a licence was issued to your account at ${brand.name}.`,
  body: ({ firstName, subscriptionLevel, licenceCode, expiresAt }, { publicUrl }) => (
    <>
      <Heading>Welcome to {brand.productName}</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        We have issued you a licence of {brand.productName} {subscriptionLevel}. This is your licence code:
      </Paragraph>
      <LicenceCode code={licenceCode} />
      <Facts facts={[["Valid until", formatSellerDate(expiresAt)]]} />
      <Paragraph>
        Download {brand.productName} and install it, then enter the code when the add-in asks for it. If it is installed
        already, enter the new code there.
      </Paragraph>
      <Button href={`${publicUrl}${brand.installerPath}`}>Download {brand.productName}</Button>
      <Note>
        Your licences and the devices they run on stand in your account:{" "}
        <TextLink href={`${publicUrl}/my-account/`}>{`${publicUrl}/my-account/`}</TextLink>
      </Note>
      <Note>
        Something does not work? Write to <Support />
      </Note>
    </>
  ),
};
