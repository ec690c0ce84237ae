import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router-dom";
import { formatSellerDate, formatDay } from "#schema/dates.ts";
import { formatAud, formatGstRate, isBelowCardMinimum } from "#schema/money.ts";
import type { QuoteAcceptanceValues } from "#schema/manual-invoice.ts";
import { formatNumber } from "#schema/numbers.ts";
import { getLinkToken } from "#web/access/accounts/link-token.ts";
import type { QuoteQuery } from "#web/generated/graphql.ts";
import { downloadPdf } from "#web/billing/invoices/download-invoice.tsx";
import { useAnswer } from "#web/platform/use-answer.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import layout from "#web/ui/layout.module.css";
import { Loaded } from "#web/ui/loaded.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import acceptOperation from "operation:AcceptQuote";
import operation from "operation:Quote";
import { Moment } from "#web/ui/moment.tsx";
import { CheckboxField, TextField } from "#web/ui/form/native-fields.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";
import classes from "./quote.module.css";

type Quote = QuoteQuery["quote"];

/** Page opened by the link in the email of a quote. */
export default function QuotePage() {
  const token = getLinkToken(useLocation().search);
  return (
    <PageLayout title={paths.quote.title} width="form" card>
      <QuoteByLink key={token} token={token} />
    </PageLayout>
  );
}

function QuoteByLink({ token }: { token: string }) {
  const query = useAnswer(() => postGraphql(operation, { token }));
  const { data, error, refetch } = query;
  const [isNew, setNew] = useState(false);

  async function accept(acceptance: QuoteAcceptanceValues) {
    notify.clearErrors();
    try {
      await postGraphql(acceptOperation, { token, acceptance });
      setNew(true);
    } finally {
      void refetch();
    }
  }

  if (getErrorCode(error) === "NOT_FOUND")
    return (
      <ErrorState message="Sorry, this link is invalid.">
        <p>
          Open the link in the newest email about the quote, or email <MailLink to="sales" />.
        </p>
      </ErrorState>
    );
  if (!data) return <Loaded query={query} failure="Unable to load the quote." loading="Loading the quote" tall />;
  const { quote } = data;
  return (
    <div style={{ display: "grid", gap: "1.5rem" }} data-break="anywhere">
      <QuoteDocument quote={quote} />
      <div className={layout.actions}>
        <BusyButton
          variant="default"
          onPress={() =>
            downloadPdf({
              path: "/v1/quote/download",
              failure: "Unable to download the quote.",
              body: { content: JSON.stringify({ token }), type: "application/json" },
            })
          }
        >
          Download PDF
        </BusyButton>
      </div>
      <QuoteState quote={quote} isNew={isNew} onAccept={accept} />
    </div>
  );
}

const closedTexts: Readonly<Record<Exclude<Quote["state"], "ACCEPTED" | "OPEN">, string>> = {
  EXPIRED: "This quote has expired.",
  WITHDRAWN: "This quote was replaced by a newer one.",
  CANCELLED: "The invoice of this quote was cancelled.",
};

function QuoteState({ quote, isNew, onAccept }: QuoteFormProps & { isNew: boolean }) {
  const { state } = quote;
  if (state === "ACCEPTED") return <AcceptedQuote quote={quote} isNew={isNew} />;
  if (state === "OPEN") return <QuoteForm quote={quote} onAccept={onAccept} />;
  return (
    <p role="status">
      {closedTexts[state]} Questions? Email <MailLink to="sales" />.
    </p>
  );
}

/** Says who accepted the quote, and how to pay its invoice. Takes the focus from the form that it replaces. */
function AcceptedQuote({ quote, isNew }: { quote: Quote; isNew: boolean }) {
  const { acceptedAt, acceptedBy, invoiceNumber, balanceCents, bank } = quote;
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isNew) sentence.current?.focus();
  }, [isNew]);
  return (
    <>
      <p ref={sentence} role="status" tabIndex={-1}>
        You have accepted this quote. {invoiceNumber && `We emailed you invoice ${invoiceNumber}.`}{" "}
        {acceptedBy && acceptedAt && (
          <>
            Accepted by {acceptedBy}, on <Moment at={acceptedAt} as={formatSellerDate} />.
          </>
        )}
      </p>
      {balanceCents > 0 && (
        <section aria-labelledby="how-to-pay">
          <h3 id="how-to-pay">Pay {formatAud(balanceCents)}</h3>
          {bank && (
            <p>
              By bank transfer to {bank.accountName}, BSB {bank.bsb}, account {bank.accountNumber}, with the reference{" "}
              {invoiceNumber}.
            </p>
          )}
          {!isBelowCardMinimum(balanceCents) && (
            <p>
              By card: <Link to={paths.taxInvoices.href()}>sign in and open your invoices</Link>.
            </p>
          )}
        </section>
      )}
    </>
  );
}

const loadRules = () => import("#schema/manual-invoice.ts").then((file) => file.quoteFormRules);

interface QuoteFormProps {
  quote: Quote;
  onAccept: (acceptance: QuoteAcceptanceValues) => Promise<void>;
}

function QuoteForm({ quote, onAccept }: QuoteFormProps) {
  const form = useAppForm(loadRules, {
    defaultValues: { name: quote.customer.contact ?? "", role: "", purchaseOrder: quote.purchaseOrder ?? "" },
  });
  const { control } = form;
  const { invoiceNumber } = quote;
  const total = formatAud(quote.totalCents);
  return (
    <AppForm
      form={form}
      onSubmit={({ name, role, purchaseOrder }) =>
        onAccept({ name, role, purchaseOrder: invoiceNumber ? undefined : purchaseOrder })
      }
      fallback="Unable to accept the quote."
      label="Accept quote"
    >
      <p>
        {invoiceNumber
          ? `We have already issued invoice ${invoiceNumber} for this quote and emailed it to you.`
          : `If you accept this quote, we issue an invoice for ${total} and email it to you.`}{" "}
        You pay it by bank transfer or by card.
      </p>
      <TextField control={control} name="name" label="Your name" autoComplete="name" maxLength={100} />
      <TextField
        control={control}
        name="role"
        label="Your role"
        hint="Such as Finance Manager"
        autoComplete="organization-title"
        maxLength={100}
      />
      {!invoiceNumber && (
        <TextField
          control={control}
          name="purchaseOrder"
          label="Purchase order number"
          optional
          hint="On your invoice"
          maxLength={100}
        />
      )}
      <CheckboxField
        control={control}
        name="mayAccept"
        label={`I confirm that I may accept this quote for ${quote.buyer}`}
      />
      <FormActions>
        <SubmitButton>Accept quote</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

type Party = Partial<Quote["customer"] & Quote["seller"]> & Pick<Quote["seller"], "name" | "abn" | "address">;

/** Shows a quote with what its PDF has: seller, buyer, terms, lines and sums. */
function QuoteDocument({ quote }: { quote: Quote }) {
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

function QuoteTable({ quote }: { quote: Quote }) {
  const sums = [
    ["Subtotal", quote.amountCents],
    [formatGstRate(quote.gstBasisPoints), quote.gstCents],
    ["Total", quote.totalCents],
  ] as const;
  return (
    <div className={layout.framed} style={{ overflowX: "auto", overflowWrap: "normal" }}>
      <table className={`${layout.table} ${classes.table}`} aria-label="Quote">
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col">Quantity</th>
            <th scope="col">Unit price</th>
            <th scope="col">Amount</th>
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
              <td>{formatNumber(quantity)}</td>
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
