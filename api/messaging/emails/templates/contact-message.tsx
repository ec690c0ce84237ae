import { brand } from "#schema/brand.ts";
import { defineImpersonalEmail, Facts, Note, Paragraph } from "#api/messaging/emails/template.tsx";

/** Delivers a message from the contact form to staff. Replies go to the sender. */
export const contactMessage = defineImpersonalEmail({
  name: "contact-message",
  sample: () => ({
    name: "Ada Byron",
    email: "ada@example.com",
    phone: "0400 000 000",
    message: `Good morning,

we plan rail projects with 40 people and would like to try the add-in before the next tender.
Which licence suits us, and can we pay by bank transfer?

Kind regards
Ada`,
  }),
  subject: ({ name }) => `Contact form: message from ${name}`,
  preview: ({ message }) => message.slice(0, 120).toWellFormed(),
  because: `someone sent a message to ${brand.name} through the contact form.`,
  heading: () => "Message from the contact form",
  body: ({ name, email, phone, message }) => (
    <>
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
});
