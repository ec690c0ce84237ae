import { brand } from "#schema/brand.ts";
import { defineEmail, Facts, LicenceCode, Note, Paragraph, Support, orNull } from "#api/messaging/emails/template.tsx";

/**
 * Delivers the code for moving a licence to a machine that couldn't be activated. The code isn't in the subject or the
 * preview.
 */
export const moveCode = defineEmail({
  name: "move-code",
  hasCode: true,
  sample: ({ at }) => ({
    /** The code: six digits. */
    code: "407192",
    /** Minutes until the code expires. */
    minutes: 10,
    machineName: "BNE-PLAN-008",
    osUser: orNull("PLANNING\\ada"),
    ip: "203.0.113.7",
    at,
  }),
  subject: () => `Your code to move your ${brand.productName} licence`,
  preview: ({ machineName }) => `Someone wants to use your licence on ${machineName}.`,
  because: `you have a licence at ${brand.name}.`,
  heading: () => "Move your licence to another device?",
  body: ({ code, minutes, machineName, osUser, ip, at }, { dateTime }) => (
    <>
      <Paragraph>
        {brand.productName} on the device below couldn't be activated, because your licence is in use on as many devices
        as it allows. If you started this, enter the code on that device. You'll see the devices on your licence and can
        choose one to replace.
      </Paragraph>
      <LicenceCode code={`${code.slice(0, 3)} ${code.slice(3)}`} />
      <Facts
        facts={[
          ["Device", machineName],
          ...(osUser ? [["Signed in as", osUser] as const] : []),
          ["Requested", dateTime(at)],
          ["IP address", ip],
        ]}
      />
      <Paragraph>
        The code is valid for {minutes} minutes and only on this device. We will never ask you for it.
      </Paragraph>
      <Note>
        If this wasn't you or someone at your company, don't share the code. Without it, nobody can see your devices.
        Someone else may know your licence code, so please email <Support />
      </Note>
    </>
  ),
});
