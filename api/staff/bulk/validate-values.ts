import type { AnyObjectSchema, InferType } from "yup";
import type { BulkKind } from "#schema/bulk-run.ts";
import { bulkColumns } from "#schema/bulk-columns.ts";
import { formatTableDate } from "#schema/dates.ts";
import { AppError } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import type { BulkFault } from "./bulk-run.entity.ts";

/** Validates the cells of a row. Returns the parsed values, or the errors by column label. */
export function validateValues<Rules extends AnyObjectSchema>(
  kind: BulkKind,
  rules: Rules,
  values: Readonly<Record<string, string>>,
): { values: InferType<Rules> | null; faults: BulkFault[] } {
  try {
    return { values: check(rules, values), faults: [] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = Object.entries(error.fields ?? {}).flatMap(([name, messages]) =>
      messages.map((message) => ({ column: getColumnLabel(kind, name), message })),
    );
    return { values: null, faults };
  }
}

function getColumnLabel(kind: BulkKind, name: string): string {
  return bulkColumns[kind].find((column) => column.name === name)?.label ?? name;
}

/** Formats a date as `DD/MM/YYYY` in UTC, the time zone of dates in files. */
export const formatFileDate = (moment: Date): string => formatTableDate(moment, "UTC");
