import type { ReactNode } from "react";
import { formatDay, formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { QuoteQuery } from "#web/generated/graphql.ts";
import layout from "#web/ui/layout.module.css";
import classes from "./quote.module.css";
import { Moment } from "#web/ui/moment.tsx";

type Party = Pick<QuoteQuery["quote"]["customer"], "name" | "abn" | "address"> & {
  contact?: string | null;
  email?: string | null;
};

/** Shows a quote with what its PDF has: seller, buyer, terms, lines and sums. */
export function QuoteDocument({ quote }: { quote: QuoteQuery["quote"] }) {
  const { number, seller, customer, issuedAt, validUntil, dueAt, dueDays, purchaseOrder } = quote;
  const show = (at: string) => <Moment key={at} at={at} as={formatSellerDate} />;
  const facts: [label: string, value: ReactNode][] = [
    ["Issued", show(issuedAt)],
    ["Valid until", show(validUntil)],
    ["Payment", dueAt ? <>Due on {show(dueAt)}</> : `Within ${dueDays} days of the invoice`],
    ...(purchaseOrder ? [["Purchase order", purchaseOrder] as [string, string]] : []),
  ];
  return (
    <>
      <h2>Quote {number}</h2>
      <div style={{ display: "flex", flexWrap: "wrap", gap: "1rem 3rem" }}>
        <PartyBlock title="From" party={seller} />
        <PartyBlock title="To" party={customer} />
      </div>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label} style={{ display: "contents" }}>
            <dt>{label}</dt>
            <dd data-break="anywhere">{value}</dd>
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
      <h3 style={{ marginBottom: "0.375rem" }}>{title}</h3>
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
    <div className={layout.framed} style={{ overflowX: "auto" }}>
      <table className={`${layout.table} ${classes.table}`} aria-label="Quote">
        <thead>
          <tr>
            <th>Description</th>
            <th>Quantity</th>
            <th>Unit price</th>
            <th>Amount</th>
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
              <td>{quantity}</td>
              <td>{formatAud(unitCents)}</td>
              <td>{formatAud(amountCents)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {sums.map(([label, cents]) => (
            <tr key={label}>
              <th scope="row" colSpan={3}>
                {label}
              </th>
              <td>{formatAud(cents)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  );
}
