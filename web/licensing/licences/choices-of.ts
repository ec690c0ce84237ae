import type { CatalogueEntry } from "#schema/catalogue.ts";
import type { SelectOption } from "#web/ui/form/fields.tsx";

/** A numbered list of the specification as the options of a select. */
export function choicesOf(list: readonly CatalogueEntry[]): SelectOption[] {
  return list.map(({ value, label }) => ({ value: String(value), label }));
}
