import { brand } from "#schema/brand.ts";
import { defineEmail } from "#api/messaging/emails/email-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "#api/messaging/emails/parts.tsx";

/** Notifies the owner of a licence that a device was deactivated, regardless of who did it. */
export const deviceDeactivated = defineEmail({
  name: "device-deactivated",
  sample: ({ firstName, at }) => ({
    firstName,
    machineName: "BNE-PLAN-007",
    at,
    /** Number of deactivations left for the year. */
    deactivationsRemaining: 2,
  }),
  subject: () => `A device was deactivated on your ${brand.productName} licence`,
  preview: ({ machineName }) => `${machineName} no longer uses your licence.`,
  because: `You're receiving this email because you have a licence at ${brand.name}.`,
  body: ({ firstName, machineName, at, deactivationsRemaining }, { publicUrl, dateTime }) => (
    <>
      <Heading>A device was deactivated</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        This device no longer uses your licence. You can activate another device with the same licence code.
      </Paragraph>
      <Facts
        facts={[
          ["Device", machineName],
          ["Deactivated", dateTime(at)],
          ["Deactivations left", String(deactivationsRemaining)],
        ]}
      />
      <Button href={`${publicUrl}/my-account/`}>View devices</Button>
      <Note>
        If this wasn't you or someone at your company, change your password and email <Support />
      </Note>
    </>
  ),
});
