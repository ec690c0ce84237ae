import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Button, Facts, Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface DeviceDeactivatedData {
  readonly firstName: string;
  readonly machineName: string;
  readonly at: Date;
  /** Devices the customer may still free within the year. */
  readonly deactivationsRemaining: number;
}

/** A device gave its place back; the owner should know, whoever did it. */
export const deviceDeactivated: MailTemplate<DeviceDeactivatedData> = {
  subject: () => `A device was deactivated on your ${brand.productName} licence`,
  preview: ({ machineName }) => `${machineName} no longer uses your licence.`,
  because: `You get this mail because a licence at ${brand.name} is yours.`,
  body: ({ firstName, machineName, at, deactivationsRemaining }, { publicUrl }) => (
    <>
      <Heading>A device was deactivated</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        This device no longer uses your licence. Its place is free, and you can activate another device with the same
        licence code.
      </Paragraph>
      <Facts
        facts={[
          ["Device", machineName],
          ["Deactivated", dayAndTime(at)],
          ["Deactivations you have left", String(deactivationsRemaining)],
        ]}
      />
      <Button href={`${publicUrl}/my-account/`}>See my devices</Button>
      <Note>
        If this was not you or somebody at your company, change your password and write to <Support />
      </Note>
    </>
  ),
};
