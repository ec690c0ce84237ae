import { brand } from "#schema/brand.ts";
import type { EmailTemplate } from "./email-template.ts";
import { Facts, Heading, Note, Paragraph } from "./parts.tsx";

export interface ContactMessageData {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly message: string;
}

/** Delivers a message from the contact form to staff. Replies go to the sender. */
export const contactMessage: EmailTemplate<ContactMessageData> = {
  subject: ({ name }) => `Contact form: message from ${name}`,
  preview: ({ message }) => message.slice(0, 120),
  because: `You're receiving this email because someone sent a message to ${brand.name} through the contact form.`,
  body: ({ name, email, phone, message }) => (
    <>
      <Heading>Message from the contact form</Heading>
      <Facts
        facts={[
          ["Name", name],
          ["Email", email],
          ["Phone Number", phone],
        ]}
      />
      {message.split(/(?:\r?\n[\t ]*){2,}/).map((paragraph, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- written once, never moved
        <Paragraph key={index}>
          {paragraph.split(/\r\n|\r|\n/).map((text, number) => (
            // oxlint-disable-next-line react/no-array-index-key -- written once, never moved
            <span key={number}>
              {number > 0 && <br />}
              {text}
            </span>
          ))}
        </Paragraph>
      ))}
      <Note>Reply to this email to write to the sender. The sender's address hasn't been verified.</Note>
    </>
  ),
};
