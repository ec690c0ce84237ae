import { brand } from "#schema/brand.ts";
import { formatAud } from "#schema/money.ts";
import { formatSellerDate, type EmailTemplate } from "./email-template.ts";
import { Button, Facts, Heading, Hello, LinkInFull, Note, Paragraph } from "./parts.tsx";

export interface QuoteData {
  readonly firstName: string;
  readonly number: string;
  readonly description: string;
  readonly totalCents: number;
  readonly validUntil: Date;
  /** Address of the page that accepts the quote. */
  readonly link: string;
}

/** Delivers a quote with the link that accepts it. */
export const quote: EmailTemplate<QuoteData> = {
  subject: ({ number }) => `Quote ${number} from ${brand.name}`,
  preview: ({ description, totalCents }) => `${description}, ${formatAud(totalCents)}.`,
  because: `You're receiving this email because someone at ${brand.name} wrote a quote for your account.`,
  body: ({ firstName, number, description, totalCents, validUntil, link }) => (
    <>
      <Heading>Your quote</Heading>
      <Hello firstName={firstName} />
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
};
