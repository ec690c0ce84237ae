import { type CatalogueEntry, labelOf, softwareStages } from "./catalogue.ts";
import { type Field, storedOf } from "./fields/field.ts";
import { nouns } from "./fields/nouns.ts";

/** Fields whose words on the screens are not those of their name. */
const wordsOfField: Readonly<Record<string, string>> = {
  archivedAt: "Archived",
  sha256: "SHA-256",
};

const numberedLists: Readonly<Record<string, readonly CatalogueEntry[]>> = { stage: softwareStages };

// Nouns that share a property use the same label for it.
const declared = new Map(
  Object.values(nouns).flatMap((fields) =>
    Object.entries<Field>(fields).flatMap(([name, field]) =>
      Object.entries(storedOf(name, field)).map(
        ([property, label]) => [property, { label, list: field.list }] as const,
      ),
    ),
  ),
);

const moment = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z)?$/;

/** The name of an audited field as screens label it: `postCode` → `Post Code`. */
export function auditedFieldInWords(field: string): string {
  const words = field.replace(/[-_]/g, " ").replace(/([a-z\d])([A-Z])/g, "$1 $2");
  return (
    declared.get(field)?.label ?? wordsOfField[field] ?? words.replace(/\b\p{Ll}/gu, (letter) => letter.toUpperCase())
  );
}

/**
 * An audited value in words: numbered lists by their labels, Yes and No, dates as DD/MM/YYYY (times in UTC), lists one
 * after the other; null where there was nothing.
 */
export function auditedValueInWords(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(", ") : null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const list = declared.get(field)?.list ?? numberedLists[field];
  if (list && typeof value === "number") return labelOf(list, value);
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value as string | number);
  const [, year, month, day, time] = moment.exec(text) ?? [];
  return year ? `${day}/${month}/${year}${time ? ` ${time} UTC` : ""}` : text;
}
