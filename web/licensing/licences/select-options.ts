import type { CatalogueEntry } from "#schema/catalogue.ts";
import type { SelectOption } from "#web/ui/form/use-field.tsx";

/** Turns a numbered list of the product into the options of a select. */
export function toSelectOptions(list: readonly CatalogueEntry[]): SelectOption[] {
  return list.map(({ value, label }) => ({ value: String(value), label }));
}
