import { brand } from "#schema/brand.ts";
import { Button, defineEmail, Facts, Note, orNull, Paragraph, Support } from "#api/messaging/emails/template.tsx";

/** Notifies the owner of a licence that a device was deactivated, regardless of who did it. */
export const deviceDeactivated = defineEmail({
  name: "device-deactivated",
  sample: ({ at }) => ({
    machineName: "BNE-PLAN-007",
    at,
    /** Number of deactivations left for the year. */
    deactivationsRemaining: 2,
    /** Name of the machine that took the device's place. */
    replacedBy: orNull("BNE-PLAN-008"),
    /** False if the licence has expired, is suspended or is revoked. */
    canActivate: true,
  }),
  subject: () => `A device was deactivated on your ${brand.productName} licence`,
  preview: ({ machineName }) => `${machineName} no longer uses your licence.`,
  because: `you have a licence at ${brand.name}.`,
  heading: () => "A device was deactivated",
  body: ({ machineName, at, deactivationsRemaining, replacedBy, canActivate }, { publicUrl, dateTime }) => (
    <>
      <Paragraph>
        This device no longer uses your licence.
        {replacedBy !== null && " Another device took its place."}
        {replacedBy === null && canActivate && " You can activate another device with the same licence code."}
      </Paragraph>
      <Facts
        facts={[
          ["Device", machineName],
          ["Deactivated", dateTime(at)],
          ...(replacedBy === null ? [] : [["Replaced by", replacedBy] as const]),
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
