import { mergedKinds } from "#schema/account-merge.ts";
import { formatNumber } from "#schema/numbers.ts";
import type { MergePreviewQuery } from "#web/generated/graphql.ts";

/** Describes counted rows, such as `Licences: 2, Contacts: 1`. */
export function describeRows(rows: MergePreviewQuery["mergePreview"]["moves"]): string {
  const labels = new Map<string, string>(mergedKinds.map(({ code, label }) => [code, label]));
  return rows.map((row) => `${labels.get(row.kind) ?? row.kind}: ${formatNumber(row.rows)}`).join(", ");
}
