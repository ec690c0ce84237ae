import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import {
  type BillingSubscriptionFilter,
  BillingSubscriptionsDocument,
  type BillingSubscriptionsQuery,
  type BillingSubscriptionsQueryVariables,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/platform/save-as-file.ts";

type Row = BillingSubscriptionsQuery["billingSubscriptions"]["rows"][number];

const PAGE_SIZE = 100;

const dollars = (cents: number | null) => (cents === null ? "" : (cents / 100).toFixed(2));

/** Columns of the file. Amounts are in AUD including GST; dates are in UTC. */
const columns: readonly (readonly [title: string, value: (row: Row) => string])[] = [
  ["Customer", ({ userName }) => userName],
  ["Company", ({ companyName }) => companyName],
  ["Email", ({ email }) => email],
  ["Plan", ({ plan }) => plan],
  ["Status", ({ status }) => status],
  ["Amount", ({ amountCents }) => dollars(amountCents)],
  ["Renewal", ({ periodEndsAt }) => periodEndsAt],
  ["Past due", ({ pastDueCents }) => dollars(pastDueCents)],
  ["Reason", ({ reason }) => reason ?? ""],
  ["Next retry", ({ nextRetryAt }) => nextRetryAt ?? ""],
];

// Spreadsheets run a cell that starts with one of these characters as a formula.
const formatCell = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Exports the subscriptions that a filter shows, at most 10,000, as CSV. */
export function useSubscriptionExport() {
  const client = useApolloClient();
  const [isExporting, setExporting] = useState(false);

  async function exportRows(filter: Pick<BillingSubscriptionFilter, "search" | "statuses">): Promise<void> {
    setExporting(true);
    try {
      const rows: Row[] = [];
      for (let total = 1; rows.length < total; ) {
        const { data } = await client.query<BillingSubscriptionsQuery, BillingSubscriptionsQueryVariables>({
          query: BillingSubscriptionsDocument,
          variables: { filter: { ...filter, offset: rows.length, limit: PAGE_SIZE } },
          fetchPolicy: "no-cache",
        });
        const page = data?.billingSubscriptions;
        if (!page || page.rows.length === 0) break;
        rows.push(...page.rows);
        ({ total } = page);
      }
      const lines = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, value]) => value(row)))];
      const text = lines.map((cells) => cells.map(formatCell).join(",")).join("\r\n");
      saveAsFile("Subscriptions.csv", new Blob(["\ufeff", text, "\r\n"]), "text/csv");
    } catch (error) {
      notify.failure(error, "Unable to export the subscriptions.");
    }
    setExporting(false);
  }

  return { isExporting, exportRows };
}
