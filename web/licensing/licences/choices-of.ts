import type { CatalogueEntry } from "#schema/catalogue.ts";
import type { SelectOption } from "#web/ui/form/fields.tsx";

/** Returns a numbered list of the catalogue as the options of a select. */
export function choicesOf(list: readonly CatalogueEntry[]): SelectOption[] {
  return list.map(({ value, label }) => ({ value: String(value), label }));
}
