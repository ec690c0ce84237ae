import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { QuoteAcceptanceValues } from "#schema/manual-invoice.ts";
import { getLinkToken } from "#web/access/accounts/link-token.ts";
import type { QuoteQuery } from "#web/generated/graphql.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { formatError, getErrorCode } from "#web/platform/server-error.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import layout from "#web/ui/layout.module.css";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import acceptOperation from "operation:AcceptQuote";
import { QuoteDocument } from "./quote-document.tsx";
import { QuoteForm, type QuoteFormProps } from "./quote-form.tsx";
import operation from "operation:Quote";
import classes from "./quote.module.css";
import { Moment } from "#web/ui/moment.tsx";

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
  const [failure, setFailure] = useState<unknown>(null);
  const [tries, setTries] = useState(0);

  useEffect(() => {
    let isUnmounted = false;
    postGraphql(operation, { token }).then(
      (data) => {
        if (!isUnmounted) setQuote(data.quote);
      },
      (error: unknown) => {
        if (isUnmounted) return;
        setFailure(error);
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [token, tries]);

  async function accept(acceptance: QuoteAcceptanceValues) {
    notify.clearErrors();
    try {
      await postGraphql(acceptOperation, { token, acceptance });
    } finally {
      setTries((count) => count + 1);
    }
  }

  async function download(number: string) {
    notify.clearErrors();
    try {
      const body = { content: JSON.stringify({ token }), type: "application/json" };
      const response = await fetchFromApi("/v1/quote/download", "application/pdf", { body });
      saveAsFile(`Quote-${number}.pdf`, await response.blob(), "application/pdf");
    } catch (error) {
      notify.failure(error, "Unable to download the quote.");
    }
  }

  if (getErrorCode(failure) === "NOT_FOUND")
    return (
      <ErrorState message="Sorry, this link is invalid.">
        <p>
          Open the link in the newest email about the quote, or email{" "}
          <a href={`mailto:${brand.mailboxes.sales.email}`}>{brand.mailboxes.sales.email}</a>.
        </p>
      </ErrorState>
    );
  if (failure && !quote)
    return (
      <ErrorState
        message={formatError(failure, "Unable to load the quote.")}
        onRetry={() => {
          setFailure(null);
          setTries((count) => count + 1);
        }}
      />
    );
  if (!quote) return <LoadingBlock label="Loading the quote" tall />;
  return (
    <div className={classes.page}>
      <QuoteDocument quote={quote} />
      <div className={layout.actions}>
        <BusyButton variant="default" onPress={() => download(quote.number)}>
          Download PDF
        </BusyButton>
      </div>
      <QuoteState quote={quote} onAccept={accept} />
    </div>
  );
}

const closedTexts: Readonly<Record<Exclude<Quote["state"], "ACCEPTED" | "OPEN">, string>> = {
  EXPIRED: "This quote has expired.",
  WITHDRAWN: "This quote was replaced by a newer one.",
  CANCELLED: "The invoice of this quote was cancelled.",
};

function QuoteState({ quote, onAccept }: QuoteFormProps) {
  const { state } = quote;
  if (state === "ACCEPTED") return <AcceptedQuote quote={quote} />;
  if (state === "OPEN") return <QuoteForm quote={quote} onAccept={onAccept} />;
  return (
    <p role="status">
      {closedTexts[state]} Questions? Email{" "}
      <a href={`mailto:${brand.mailboxes.sales.email}`}>{brand.mailboxes.sales.email}</a>.
    </p>
  );
}

/** Says who accepted the quote, and how to pay its invoice. */
function AcceptedQuote({ quote: { acceptedAt, acceptedBy, invoiceNumber, balanceCents, bank } }: { quote: Quote }) {
  return (
    <>
      <p role="status">
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
          <p>
            By card: <Link to={paths.taxInvoices.href()}>sign in and open your invoices</Link>.
          </p>
        </section>
      )}
    </>
  );
}
