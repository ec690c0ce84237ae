import type { CSSProperties } from "react";
import { brand } from "#schema/brand.ts";
import { formatDate, formatDay } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { QuoteQuery } from "#web/generated/graphql.ts";

type Party = Pick<QuoteQuery["quote"]["customer"], "name" | "abn" | "address"> & {
  contact?: string | null;
  email?: string | null;
};

const right: CSSProperties = { textAlign: "right" };

/** Shows a quote with what its PDF has: seller, buyer, terms, lines and sums. */
export function QuoteDocument({ quote }: { quote: QuoteQuery["quote"] }) {
  const { number, seller, customer, issuedAt, validUntil, dueAt, dueDays, purchaseOrder } = quote;
  const format = (moment: string) => formatDate(moment, brand.timeZone);
  const facts = [
    ["Issued", format(issuedAt)],
    ["Valid until", format(validUntil)],
    ["Payment", dueAt ? `Due on ${format(dueAt)}` : `Within ${dueDays} days of the invoice`],
    ...(purchaseOrder ? [["Purchase order", purchaseOrder] as const] : []),
  ] as const;
  return (
    <>
      <h2>Quote {number}</h2>
      <div style={{ display: "flex", flexWrap: "wrap", gap: "1rem 3rem" }}>
        <PartyBlock title="From" party={seller} />
        <PartyBlock title="To" party={customer} />
      </div>
      <dl style={{ display: "grid", gridTemplateColumns: "max-content 1fr", gap: "0.25rem 1.5rem" }}>
        {facts.map(([label, value]) => (
          <div key={label} style={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd style={{ margin: 0, overflowWrap: "anywhere" }}>{value}</dd>
          </div>
        ))}
      </dl>
      <QuoteTable quote={quote} />
    </>
  );
}

function PartyBlock({ title, party: { name, contact, abn, address, email } }: { title: string; party: Party }) {
  const lines = [name, abn && `ABN ${abn}`, contact, ...address, email].filter(Boolean);
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </section>
  );
}

function QuoteTable({ quote }: { quote: QuoteQuery["quote"] }) {
  const sums = [
    ["Subtotal", quote.amountCents],
    ["GST", quote.gstCents],
    ["Total", quote.totalCents],
  ] as const;
  return (
    <div style={{ overflowX: "auto" }}>
      <table aria-label="Quote" style={{ width: "100%", borderSpacing: "0 0.5rem" }}>
        <thead>
          <tr>
            <th style={{ textAlign: "left" }}>Description</th>
            <th style={right}>Quantity</th>
            <th style={right}>Unit price</th>
            <th style={right}>Amount</th>
          </tr>
        </thead>
        <tbody>
          {quote.lines.map(({ description, quantity, unitCents, amountCents, firstDay, lastDay }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the lines of a quote never change
            <tr key={index}>
              <td>
                {description}
                {firstDay && lastDay && `, ${formatDay(firstDay)} to ${formatDay(lastDay)}`}
              </td>
              <td style={right}>{quantity}</td>
              <td style={right}>{formatAud(unitCents)}</td>
              <td style={right}>{formatAud(amountCents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map(([label, cents]) => (
            <tr key={label} style={label === "Total" ? { fontWeight: 650 } : undefined}>
              <th scope="row" colSpan={3} style={{ ...right, fontWeight: "inherit" }}>
                {label}
              </th>
              <td style={right}>{formatAud(cents)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  );
}
