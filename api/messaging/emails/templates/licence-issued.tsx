import { brand } from "#schema/brand.ts";
import {
  Button,
  defineEmail,
  Facts,
  HelpNote,
  LicenceCode,
  Note,
  Paragraph,
  TextLink,
} from "#api/messaging/emails/template.tsx";

/** Welcomes a customer and delivers the licence that staff issued. */
export const licenceIssued = defineEmail({
  name: "licence-issued",
  hasCode: true,
  sample: ({ at }) => ({
    /** Label of the product level. */
    subscriptionLevel: "Corporate Dark Concurrent",
    licenceCode: "7K3QM-X9D4T-B2HNV-5RCWE-8GJ6P-ZFY1A",
    expiresAt: at,
  }),
  subject: ({ subscriptionLevel }) => `Your ${brand.productName} ${subscriptionLevel} licence`,
  preview: () => "Your licence code and how to use it.",
  because: `a licence was issued to your account at ${brand.name}.`,
  heading: () => `Welcome to ${brand.productName}`,
  body: ({ subscriptionLevel, licenceCode, expiresAt }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        We issued a {brand.productName} {subscriptionLevel} licence to you. This is your licence code:
      </Paragraph>
      <LicenceCode code={licenceCode} />
      <Facts facts={[["Valid until", dateTime(expiresAt)]]} />
      <Paragraph>
        Download and install {brand.productName}, then enter the code in the add-in. If the add-in is already installed,
        enter the new code there.
      </Paragraph>
      <Button href={`${publicUrl}${brand.installerPath}`}>Download {brand.productName}</Button>
      <Note>
        You can see your licences and activated devices in your account:{" "}
        <TextLink href={`${publicUrl}/my-account/`}>{`${publicUrl}/my-account/`}</TextLink>
      </Note>
      <HelpNote when="you need help" />
    </>
  ),
});
