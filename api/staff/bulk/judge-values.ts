import type { AnyObjectSchema, InferType } from "yup";
import { type BulkKind, bulkColumns } from "#schema/bulk.ts";
import { AppError } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import type { BulkFault } from "./bulk-row.entity.ts";

/** What the rule makes of a row's cells, or what is wrong with them under the names of their columns. */
export function judgeValues<Rules extends AnyObjectSchema>(
  kind: BulkKind,
  rules: Rules,
  values: Readonly<Record<string, string>>,
): { values: InferType<Rules> | null; faults: BulkFault[] } {
  try {
    return { values: check(rules, values), faults: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = Object.entries(error.fields ?? {}).flatMap(([name, messages]) =>
      messages.map((message) => ({ column: labelOfColumn(kind, name), message })),
    );
    return { values: null, faults };
  }
}

function labelOfColumn(kind: BulkKind, name: string): string {
  return bulkColumns[kind].find((column) => column.name === name)?.label ?? name;
}

/** `DD/MM/YYYY` of the day in UTC, which is the day that files name. */
export function dayInFile(moment: Date): string {
  const [year, month, day] = moment.toISOString().slice(0, 10).split("-");
  return `${day}/${month}/${year}`;
}
