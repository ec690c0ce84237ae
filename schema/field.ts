import type { AnySchema, InferType } from "yup";
import { type CodeOf, findEntry, type ListEntry, toCode } from "./closed-list.ts";

/** Declaration of one field of an entity. */
export interface Field<Rule extends AnySchema = AnySchema> {
  /** Label in forms, and in the audit log unless `stored` defines another. */
  readonly label: string;
  /** Validation rule for forms, GraphQL and REST. */
  readonly rule: Rule;
  /** Valid value for examples in OpenAPI. */
  readonly example: unknown;
  /** The closed list of the field's values. */
  readonly list?: readonly ListEntry[];
  /** Audited properties of the entity with their labels in the audit log; by default `{ [name]: label }`. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Column in the entity's report, with its width in characters. Fields without it aren't in the report. */
  readonly report?: { readonly title: string; readonly width?: number };
}

/** Fields of an entity by name. TypeScript and GraphQL use the same names; the database uses them in snake case. */
export type Fields = Readonly<Record<string, Field>>;

/** Declares the fields of an entity. A test adds a field to every declaration here, and expects it wherever it belongs. */
export function defineFields<F extends Fields>(fields: F): F {
  return fields;
}

const mapFields = <F extends Fields, Value>(fields: F, value: (field: F[keyof F], name: keyof F & string) => Value) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, value(field as F[keyof F], name)])) as {
    [Name in keyof F]: Value;
  };

/** Returns the yup rules of the fields, as the shape of an object rule. */
export function getRules<F extends Fields>(fields: F): { [Name in keyof F]: F[Name]["rule"] } {
  return mapFields(fields, ({ rule }) => rule) as { [Name in keyof F]: F[Name]["rule"] };
}

export function getLabels<F extends Fields>(fields: F): { readonly [Name in keyof F]: string } {
  return mapFields(fields, ({ label }) => label);
}

export function getExample<F extends Fields>(fields: F): { [Name in keyof F]: F[Name]["example"] } {
  return mapFields(fields, ({ example }) => example) as { [Name in keyof F]: F[Name]["example"] };
}

/** Returns only the declared fields of `row`. */
export function pickFields<F extends Fields, Row extends { readonly [Name in keyof F]?: unknown }>(
  fields: F,
  row: Row,
): Pick<Row, keyof F & keyof Row> {
  return mapFields(fields, (_field, name) => row[name]) as Pick<Row, keyof F & keyof Row>;
}

type AuditedValue = string | number | boolean | readonly string[] | null;

/** Names of the entity's properties that store the fields. */
type StoredName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly stored: infer Stored } ? keyof Stored : Name;
}[keyof F];

/** Returns the properties of the entity that store a field, with their labels in the audit log. */
export function getStoredProperties(
  name: string,
  { label, stored = { [name]: label } }: Field,
): Readonly<Record<string, string>> {
  return stored;
}

/** Returns the audited values of `row`. */
export function getAuditedValues<F extends Fields>(
  fields: F,
  row: { readonly [Name in StoredName<F>]: AuditedValue | Date },
): Record<string, AuditedValue> {
  const values = row as Readonly<Record<string, AuditedValue | Date>>;
  const audited = Object.entries(fields).flatMap(([name, field]) => Object.keys(getStoredProperties(name, field)));
  return Object.fromEntries(
    audited.map((name) => {
      const value = values[name] ?? null;
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  );
}

/**
 * Returns the initial values of a form, from `row`, the rules' defaults or an empty string, in that order. Codes of closed
 * lists become their values, as text.
 */
export function getFormValues<F extends Fields>(
  fields: F,
  row: { readonly [Name in keyof F]: unknown } | null,
): { [Name in keyof F]: InferType<F[Name]["rule"]> } {
  const values = mapFields(fields, ({ list, rule }, name) => {
    const value = row?.[name] ?? (rule.getDefault() as unknown) ?? "";
    return list ? String(findEntry(list, value)?.value ?? (value as number | string)) : value;
  });
  // The value of a select is text until the rule casts it.
  return values as never;
}

/** Values with the codes of closed lists instead of their stored values. */
type Coded<F extends Fields, Values> = {
  [Name in keyof Values]: Name extends keyof F
    ? F[Name] extends { readonly list: infer List extends readonly ListEntry[] }
      ? CodeOf<List> | Extract<Values[Name], null | undefined>
      : Values[Name]
    : Values[Name];
};

/** Returns validated values of a form as GraphQL expects them: with the codes of closed lists. */
export function toInput<F extends Fields, Values extends object>(fields: F, values: Values): Coded<F, Values> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => {
      const list = fields[name]?.list;
      return [name, list && value != null ? toCode(list, value as number | string) : value];
    }),
  ) as Coded<F, Values>;
}
