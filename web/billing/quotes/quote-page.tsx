import { useEffect, useState } from "react";
import { useLocation } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { getLinkToken } from "#web/access/accounts/link-token.ts";
import type {
  AcceptQuoteMutation,
  AcceptQuoteMutationVariables,
  QuoteQuery,
  QuoteQueryVariables,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { formatError, getErrorCode } from "#web/platform/server-error.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import layout from "#web/ui/layout.module.css";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import acceptOperation from "./accept-quote.graphql?operation";
import operation from "./quote.graphql?operation";

type Quote = QuoteQuery["quote"];

/** Page opened by the link in the email of a quote. */
export default function QuotePage() {
  return (
    <PageLayout title={paths.quote.title} width="form" card>
      <QuoteByLink />
    </PageLayout>
  );
}

/** Shows the quote of an emailed link, and accepts it after a click. */
function QuoteByLink() {
  const token = getLinkToken(useLocation().search);
  const [quote, setQuote] = useState<Quote | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    let isUnmounted = false;
    postGraphql<QuoteQuery, QuoteQueryVariables>(operation, { token }).then(
      (data) => {
        if (!isUnmounted) setQuote(data.quote);
      },
      (error: unknown) => {
        if (isUnmounted) return;
        setFailure(
          getErrorCode(error) === "NOT_FOUND"
            ? "Sorry, this link is invalid."
            : formatError(error, "Unable to load the quote."),
        );
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [token, tries]);

  async function accept() {
    notify.clearErrors();
    try {
      const { acceptQuote } = await postGraphql<AcceptQuoteMutation, AcceptQuoteMutationVariables>(acceptOperation, {
        token,
      });
      setQuote((shown) => shown && { ...shown, ...acceptQuote });
    } catch (error) {
      notify.failure(error, "Unable to accept the quote.");
      setTries((count) => count + 1);
    }
  }

  if (failure) return <ErrorState message={failure} />;
  if (!quote) return <LoadingBlock label="Loading the quote" tall />;
  return (
    <>
      <h2>Quote {quote.number}</h2>
      <p>
        For {quote.buyer}, valid until {formatDate(quote.validUntil, brand.timeZone)}.
      </p>
      <QuoteTable quote={quote} />
      <QuoteState quote={quote} onAccept={accept} />
    </>
  );
}

function QuoteTable({ quote }: { quote: Quote }) {
  const sums = [
    ["Subtotal", quote.amountCents],
    ["GST", quote.gstCents],
    ["Total", quote.totalCents],
  ] as const;
  return (
    <table aria-label="Quote" style={{ width: "100%", borderSpacing: "0 0.5rem" }}>
      <thead>
        <tr>
          <th style={{ textAlign: "left" }}>Description</th>
          <th style={{ textAlign: "right" }}>Quantity</th>
          <th style={{ textAlign: "right" }}>Amount</th>
        </tr>
      </thead>
      <tbody>
        {quote.lines.map(({ description, quantity, amountCents }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the lines of a quote never change
          <tr key={index}>
            <td>{description}</td>
            <td style={{ textAlign: "right" }}>{quantity}</td>
            <td style={{ textAlign: "right" }}>{formatAud(amountCents)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        {sums.map(([label, cents]) => (
          <tr key={label} style={label === "Total" ? { fontWeight: 650 } : undefined}>
            <th scope="row" colSpan={2} style={{ textAlign: "right", fontWeight: "inherit" }}>
              {label}
            </th>
            <td style={{ textAlign: "right" }}>{formatAud(cents)}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  );
}

const closedTexts: Readonly<Record<Exclude<Quote["state"], "ACCEPTED" | "OPEN">, string>> = {
  EXPIRED: "This quote has expired.",
  WITHDRAWN: "This quote was replaced by a newer one.",
  CANCELLED: "The invoice of this quote was cancelled.",
};

function QuoteState({ quote, onAccept }: { quote: Quote; onAccept: () => Promise<void> }) {
  const { state, invoiceNumber } = quote;
  if (state === "ACCEPTED")
    return (
      <p role="status">You have accepted this quote. {invoiceNumber && `We emailed you invoice ${invoiceNumber}.`}</p>
    );
  if (state === "OPEN")
    return (
      <>
        <p>
          If you accept this quote, we issue an invoice over {formatAud(quote.totalCents)} and email it to you. You pay
          it by bank transfer.
        </p>
        <div className={layout.actions}>
          <BusyButton onPress={onAccept}>Accept quote</BusyButton>
        </div>
      </>
    );
  return (
    <p role="status">
      {closedTexts[state]} Questions? Email{" "}
      <a href={`mailto:${brand.mailboxes.sales.email}`}>{brand.mailboxes.sales.email}</a>.
    </p>
  );
}
