import type { AnyObjectSchema, InferType } from "yup";
import type { BulkKind } from "#schema/bulk-run.ts";
import { bulkColumns } from "#schema/bulk-columns.ts";
import { cleanEmail } from "#schema/clean-text.ts";
import { formatTableDate } from "#schema/dates.ts";
import { AppError } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import type { BulkFault } from "./bulk-run.entity.ts";
import type { NamedRow } from "./check-rows.ts";

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
    const faults = Object.entries(error.fields ?? {}).flatMap(([name, messages]) => {
      const column = bulkColumns[kind].find((one) => one.name === name)?.label ?? name;
      return messages.map((message) => ({ column, message }));
    });
    return { values: null, faults };
  }
}

/** Returns the email address of a row in the spelling that its rule stores. It may be invalid, but isn't longer than a valid one. */
export const readEmail = ({ values }: NamedRow): string =>
  cleanEmail(values.email ?? "")
    .slice(0, 254)
    .toWellFormed();

/** Formats a date as `DD/MM/YYYY` in UTC, the time zone of dates in files. */
export const formatFileDate = (moment: Date): string => formatTableDate(moment, "UTC");
