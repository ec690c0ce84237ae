import type { CatalogueEntry } from "#schema/closed-list.ts";
import type { SelectOption } from "#web/ui/form/use-field.tsx";

/** Converts a catalogue list, such as the licence types, to select options. */
export function toSelectOptions(list: readonly CatalogueEntry[]): SelectOption[] {
  return list.map(({ value, label }) => ({ value: String(value), label }));
}
