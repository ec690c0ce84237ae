import { group, text } from "./parameters.ts";

/** An address in the provider's fields. */
export const addressShape = group({
  line1: text,
  line2: text,
  city: text,
  state: text,
  postal_code: text,
  country: text,
});

/** Values with empty text as null and what was not sent left out. */
export function clean<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> | null } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, value === "" ? null : value])) as never;
}
