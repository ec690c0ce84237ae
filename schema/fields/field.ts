import type { AnySchema, InferType } from "yup";
import type { CatalogueEntry } from "#schema/catalogue.ts";

/** Everything that is declared about one field of a noun. */
export interface Field<Rule extends AnySchema = AnySchema> {
  /** The label in forms, and in the audit log unless `stored` has another. */
  readonly label: string;
  /** What is valid, for forms, GraphQL and REST. */
  readonly rule: Rule;
  /** A valid value, for examples in OpenAPI. */
  readonly example: unknown;
  /** The words for the values of a numbered field. */
  readonly list?: readonly CatalogueEntry[];
  /** The audited properties of the entity and their labels in the audit log; `{ [name]: label }` if omitted. */
  readonly stored?: Readonly<Record<string, string>>;
  /** The column in the noun's report; a field without it has none. Width in characters. */
  readonly report?: { readonly title: string; readonly width?: number };
}

/** The fields of a noun by their names in TypeScript, GraphQL and the database (there in snake case). */
export type Fields = Readonly<Record<string, Field>>;

const mapped = <F extends Fields, Value>(fields: F, value: (field: F[keyof F], name: keyof F & string) => Value) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, value(field as F[keyof F], name)])) as {
    [Name in keyof F]: Value;
  };

/** Returns the yup rules of the fields, the shape of an object rule. */
export function rulesOf<F extends Fields>(fields: F): { [Name in keyof F]: F[Name]["rule"] } {
  return mapped(fields, ({ rule }) => rule) as { [Name in keyof F]: F[Name]["rule"] };
}

/** Returns the labels of the fields. */
export function labelsOf<F extends Fields>(fields: F): { readonly [Name in keyof F]: string } {
  return mapped(fields, ({ label }) => label);
}

/** Returns an example of the noun. */
export function exampleOf<F extends Fields>(fields: F): { [Name in keyof F]: F[Name]["example"] } {
  return mapped(fields, ({ example }) => example) as { [Name in keyof F]: F[Name]["example"] };
}

/** Returns the declared fields of `row` and nothing else. */
export function valuesOf<F extends Fields, Row extends { readonly [Name in keyof F]: unknown }>(
  fields: F,
  row: Row,
): Pick<Row, keyof F & keyof Row> {
  return mapped(fields, (_field, name) => row[name]) as Pick<Row, keyof F & keyof Row>;
}

type AuditedValue = string | number | boolean | readonly string[] | null;

/** The properties of the entity that store the fields. */
type StoredName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly stored: infer Stored } ? keyof Stored : Name;
}[keyof F];

/** Returns the properties of the entity that store a field, with their labels in the audit log. */
export function storedOf(name: string, { label, stored = { [name]: label } }: Field): Readonly<Record<string, string>> {
  return stored;
}

/** Returns the values of `row` that its changes are audited by. */
export function auditedValuesOf<F extends Fields>(
  fields: F,
  row: { readonly [Name in StoredName<F>]: AuditedValue | Date },
): Record<string, AuditedValue> {
  const values = row as Readonly<Record<string, AuditedValue | Date>>;
  const audited = Object.entries(fields).flatMap(([name, field]) => Object.keys(storedOf(name, field)));
  return Object.fromEntries(
    audited.map((name) => {
      const value = values[name] ?? null;
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  );
}

/** Returns what a form contains at first: the values of `row`, else the rule's default or empty text; numbered values as text. */
export function formValuesOf<F extends Fields>(
  fields: F,
  row: { readonly [Name in keyof F]?: unknown } | null,
): { [Name in keyof F]: InferType<F[Name]["rule"]> } {
  const values = mapped(fields, ({ list, rule }, name) => {
    const value = row?.[name] ?? (rule.getDefault() as unknown) ?? "";
    return list ? String(value as number | string) : value;
  });
  // A select holds text until the rule has read it.
  return values as never;
}
