import { brand } from "#schema/brand.ts";
import { dayAndTime, type MailTemplate } from "./mail-template.ts";
import { Facts, Heading, Hello, LicenceCode, Note, Paragraph, Support } from "./parts.tsx";

export interface MoveCodeData {
  readonly firstName: string;
  /** Six digits. */
  readonly code: string;
  /** How long it is good for. */
  readonly minutes: number;
  readonly machineName: string;
  readonly osUser: string | null;
  readonly ip: string;
  readonly at: Date;
}

/** A machine found no place on a licence and wants to take another's. The code is not in subject or preview. */
export const moveCode: MailTemplate<MoveCodeData> = {
  subject: () => `Your code to move your ${brand.productName} licence`,
  preview: ({ machineName }) => `Somebody wants to use your licence on ${machineName}.`,
  because: `You get this mail because a licence at ${brand.name} is yours.`,
  body: ({ firstName, code, minutes, machineName, osUser, ip, at }) => (
    <>
      <Heading>Move your licence to another device?</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        {brand.productName} on the device below found no free place on your licence. If you started this, type the code
        there: it shows the devices on your licence, and you choose one to replace.
      </Paragraph>
      <LicenceCode code={`${code.slice(0, 3)} ${code.slice(3)}`} />
      <Facts
        facts={[
          ["Device", machineName],
          ...(osUser ? [["Signed in as", osUser] as const] : []),
          ["Asked", dayAndTime(at)],
          ["IP address", ip],
        ]}
      />
      <Paragraph>The code is good for {minutes} minutes, on this device alone. We will never ask you for it.</Paragraph>
      <Note>
        If this was not you or somebody at your company, do not pass the code on: without it nothing is shown. Somebody
        knows your licence code, though, so please write to <Support />
      </Note>
    </>
  ),
};
