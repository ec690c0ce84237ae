/**
 * Value of a closed list. GraphQL and the portal use `code`; the database, REST and webhooks use `value`, which is the
 * specification's number where it has one.
 */
export interface ListEntry<Value extends number | string = number | string> {
  readonly code: string;
  readonly value: Value;
  readonly label: string;
  /** Meaning of the value, for GraphQL and the documentation. */
  readonly description: string;
}

/** A closed list, declared once with {@link defineList}. */
export type ClosedList<Entry extends ListEntry = ListEntry> = readonly Entry[] & {
  /** Name of the GraphQL enum. */
  readonly title: string;
  readonly meaning: string;
};

export type CodeOf<List extends readonly ListEntry[]> = List[number]["code"];
export type ValueOf<List extends readonly ListEntry[]> = List[number]["value"];

/** What {@link defineList} needs to know about a code. */
type Row = readonly [value: number | string, label: string, description: string, more?: object];

type EntryOf<Code, Given extends Row> = {
  readonly code: Code;
  readonly value: Given[0];
  readonly label: Given[1];
  readonly description: Given[2];
} & (Given[3] extends object ? Given[3] : unknown);

/**
 * Declares a closed list. `title` is the name of its GraphQL enum, and `meaning` the enum's description. `rows` has the value,
 * the label and the description of each code, and what else its entry says. A list with entries of other lists passes the
 * entries.
 */
export function defineList<const Rows extends Readonly<Record<string, Row>>>(
  title: string,
  meaning: string,
  rows: Rows,
): ClosedList<{ [Code in keyof Rows & string]: EntryOf<Code, Rows[Code]> }[keyof Rows & string]>;
export function defineList<const Entries extends readonly ListEntry[]>(
  title: string,
  meaning: string,
  entries: Entries,
): Entries & { readonly title: string; readonly meaning: string };
export function defineList(title: string, meaning: string, rows: Readonly<Record<string, Row>> | readonly ListEntry[]) {
  const entries = Array.isArray(rows)
    ? rows
    : Object.entries(rows as Record<string, Row>).map(([code, [value, label, description, more]]) => ({
        code,
        value,
        label,
        description,
        ...more,
      }));
  return Object.assign(entries, { title, meaning });
}

/** Returns the code of a value that is a text: `licence.issued` → `LICENCE_ISSUED`. */
export function toCodeName(value: string): string {
  return value.replace(/[^A-Za-z0-9]+/g, "_").toUpperCase();
}

/** Returns the entry with a code or a value, or undefined if the list doesn't include it. */
export function findEntry<Entry extends ListEntry>(list: readonly Entry[], key: unknown): Entry | undefined {
  return list.find(({ code, value }) => code === key || value === key);
}

/** Returns the label of a code or a value, or the key itself if the list doesn't include it. */
export function findLabel(list: readonly ListEntry[], key: number | string): string {
  return findEntry(list, key)?.label ?? String(key);
}

/**
 * Returns the code of a value.
 * @throws RangeError if the list doesn't include it
 */
export function toCode<List extends readonly ListEntry[]>(list: List, value: number | string): CodeOf<List> {
  const entry = findEntry(list, value);
  if (!entry) throw new RangeError(`Not a value of the list: ${value}.`);
  return entry.code;
}

/**
 * Returns the value of a code.
 * @throws RangeError if the list doesn't include it
 */
export function toValue<List extends readonly ListEntry[]>(list: List, code: string): ValueOf<List> {
  const entry = findEntry(list, code);
  if (!entry) throw new RangeError(`Not a code of the list: ${code}.`);
  return entry.value;
}

/** Returns the values of a list, typed for yup's `oneOf`. */
export function listValues<List extends readonly ListEntry[]>(list: List): ValueOf<List>[] {
  return list.map(({ value }) => value);
}

/** A value of a list with the specification's numbers. */
export type CatalogueEntry = ListEntry<number>;

/** Formats a list for descriptions, such as '1 Regular, 2 Corporate, 3 Admin.' */
export function formatLegend(list: readonly CatalogueEntry[]): string {
  return `${list.map(({ value, label }) => `${value} ${label}`).join(", ")}.`;
}
