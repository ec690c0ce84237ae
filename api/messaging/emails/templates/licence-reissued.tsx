import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, LicenceCode, Note, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Delivers the new code of a licence whose old code was used by strangers. */
export const licenceReissued = defineEmail({
  name: "licence-reissued",
  hasCode: true,
  sample: () => ({
    /** Label of the product level. */
    subscriptionLevel: "Professional",
    supportCode: "S-7K3QMX9D",
    licenceCode: "7K3QM-X9D4T-B2HNV-5RCWE-8GJ6P-ZFY1A",
  }),
  subject: ({ subscriptionLevel }) => `New code for your ${brand.productName} ${subscriptionLevel} licence`,
  preview: () => "The old code no longer works.",
  because: `you have a licence at ${brand.name}.`,
  heading: () => "Your licence has a new code",
  body: ({ subscriptionLevel, supportCode, licenceCode }, { publicUrl }) => (
    <>
      <Paragraph>
        We replaced the code of your {brand.productName} {subscriptionLevel} licence, because others may have the old
        one. The old code no longer works.
      </Paragraph>
      <LicenceCode code={licenceCode} />
      <Facts facts={[["Support code", supportCode]]} />
      <Paragraph>
        Enter the new code in the add-in on each of your devices, or sign in there. They stay activated and don&apos;t
        count again. Deactivate devices that you don&apos;t know in your account.
      </Paragraph>
      <Button href={`${publicUrl}/my-account/`}>View devices</Button>
      <Note>
        If you didn&apos;t expect this, email <Support /> and include the support code.
      </Note>
    </>
  ),
});
