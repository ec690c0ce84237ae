import type { AnyObjectSchema } from "yup";
import { AppError } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";

/** Rules of an object. Comparing them in full with `AnyObjectSchema` fails in some orders of files (TypeScript 7). */
type Rules = Pick<AnyObjectSchema, "describe">;

/** Returns the messages by field that a rule has for values, or an empty object if it accepts them. */
export function getFieldErrors(rules: Rules, values: unknown): Record<string, string[]> {
  try {
    check(rules as AnyObjectSchema, values);
    return {};
  } catch (error) {
    if (error instanceof AppError && error.fields) return { ...error.fields } as Record<string, string[]>;
    throw error;
  }
}

/** Checks the rules with each value of a field, and compares the first message of each, or null if it is accepted. */
export const listFieldErrors = (
  rules: Rules,
  valid: Record<string, unknown>,
  cases: readonly (readonly [field: string, value: unknown, message: string | null])[],
): (readonly [string, unknown, string | null])[] =>
  cases.map(([field, value]) => {
    const errors = Object.entries(getFieldErrors(rules, { ...valid, [field]: value }));
    if (errors.some(([name]) => name !== field)) return [field, value, JSON.stringify(errors)];
    return [field, value, errors[0]?.[1][0] ?? null];
  });
