import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { Facts, Heading, Hello, Paragraph, Support } from "./parts.tsx";

export interface EmailChangedData {
  readonly firstName: string;
  readonly newEmail: string;
  /** The vendor's staff changed it; else the person did, and has proved the new address. */
  readonly byStaff?: boolean;
}

/** The last mail to an address that another one has replaced. */
export const emailChanged: MailTemplate<EmailChangedData> = {
  subject: () => `Your email address at ${brand.name} has changed`,
  preview: () => "From now on you sign in with the new address.",
  because: `You get this mail because this address belonged to an account at ${brand.name} until now.`,
  body: ({ firstName, newEmail, byStaff = false }) => (
    <>
      <Heading>Your email address has changed</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        {byStaff
          ? "Our staff have replaced the address of your account."
          : "The new address of your account is confirmed."}{" "}
        From now on you sign in with it, and our mail goes there. Your password, licences and devices are as they were.
      </Paragraph>
      <Facts facts={[["New address", newEmail]]} />
      <Paragraph>
        {byStaff ? "If you asked for it" : "If it was you"}, there is nothing to do. If not, write to us at once:{" "}
        <Support />
      </Paragraph>
    </>
  ),
};
