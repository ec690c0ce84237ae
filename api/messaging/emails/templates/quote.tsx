import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { Button, defineEmail, Facts, LinkInFull, Note, Paragraph } from "#api/messaging/emails/template.tsx";

/** Delivers a quote with the link that accepts it. */
export const quoteEmail = defineEmail({
  name: "quote",
  sample: ({ at, publicUrl }) => ({
    number: "Q-100007",
    description: "Corporate Dark Concurrent, 5 users for a year",
    totalCents: 687_500,
    validUntil: at,
    /** Address of the page that accepts the quote. */
    link: `${publicUrl}/quote/?t=secret`,
  }),
  subject: ({ number }) => `Quote ${number} from ${brand.name}`,
  preview: ({ description, totalCents }) => `${description}, ${formatAud(totalCents)}.`,
  because: `someone at ${brand.name} wrote a quote for your account.`,
  heading: () => "Your quote",
  body: ({ number, description, totalCents, validUntil, link }) => (
    <>
      <Paragraph>Our quote is attached as a PDF. If you agree with it, accept it on our site.</Paragraph>
      <Facts
        facts={[
          ["Quote", number],
          ["Description", description],
          ["Total", formatAud(totalCents)],
          ["Valid until", formatSellerDate(validUntil)],
        ]}
      />
      <Button href={link}>View and accept quote</Button>
      <LinkInFull href={link} />
      <Note>Once you accept it, we email you the invoice. Anyone with this link can accept the quote.</Note>
    </>
  ),
});
