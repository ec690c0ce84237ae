import { brand } from "#schema/brand.ts";
import type { MailTemplate } from "./mail-template.ts";
import { dayAndTime } from "./moments.ts";
import { Heading, Hello, Note, Paragraph, Support } from "./parts.tsx";

export interface AccountDeletedData {
  readonly firstName: string;
  readonly at: Date;
}

/** The last mail to a person who had their account deleted. */
export const accountDeleted: MailTemplate<AccountDeletedData> = {
  subject: () => `Your ${brand.name} account was deleted`,
  preview: () => "Your personal details are erased and your licences have ended.",
  because: `You get this mail because this address belonged to an account at ${brand.name}.`,
  body: ({ firstName, at }) => (
    <>
      <Heading>Your account was deleted</Heading>
      <Hello firstName={firstName} />
      <Paragraph>
        As you asked, your account was closed on {dayAndTime(at)}. You are signed out everywhere, your licences have
        ended, and your name, address, phone number and email address are erased from the account.
      </Paragraph>
      <Paragraph>
        We keep the records that tax law asks of us, and a note that this address has had its free trial if it had one.
      </Paragraph>
      <Note>
        If you did not ask for this, write to us at once: <Support />
      </Note>
    </>
  ),
};
