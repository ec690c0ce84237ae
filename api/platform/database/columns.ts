/**
 * Decorators of an entity's columns, one for each kind. Each declares the ORM's property, the GraphQL field if the column
 * has a description, and what happens to its personal data. A rare column uses the ORM's own decorator with `@Classified`.
 * Example: `@Text("First name.", { personal: "deleted" })`.
 */
import {
  type EntityName,
  type ManyToOneOptions,
  type PropertyOptions,
  types,
  type EntityMetadata,
  type MikroORM,
} from "@mikro-orm/core";
import { Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int } from "type-graphql";
import type { ClosedList } from "#schema/closed-list.ts";
import { enumType } from "#api/platform/graphql/declare.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import type { PersonalData, TableTreatment } from "./personal-data.ts";

interface ColumnOptions extends Omit<PropertyOptions<object>, "type" | "nullable"> {
  /** GraphQL type, if it isn't the one of the kind. */
  readonly field?: () => unknown;
  /** Name in GraphQL, if it isn't the property's. */
  readonly exposedAs?: string;
  readonly nullable?: true;
  /**
   * Class of personal data. Texts, JSON and references need one, unless the user's rows of the table are deleted as a
   * whole. Other kinds are "none" by default.
   */
  readonly personal?: Personal;
}

/** A column with a description is a GraphQL field; others are internal. */
type ColumnArgs = [options?: ColumnOptions] | [description: string, options?: ColumnOptions];

function defineColumn(
  type: PropertyOptions<object>["type"],
  graphql: () => unknown,
  [first, second]: ColumnArgs,
): PropertyDecorator {
  const description = typeof first === "string" ? first : undefined;
  const { field = graphql, exposedAs, personal, ...property } = (typeof first === "string" ? second : first) ?? {};
  return (target, name) => {
    if (description !== undefined) {
      const nullable = property.nullable ?? false;
      Field(field as never, { description, nullable, ...(exposedAs ? { name: exposedAs } : {}) })(target, name);
    }
    Property({ type, ...property } as PropertyOptions<object>)(target, String(name));
    if (personal) classifyColumn(target, name, personal);
  };
}

/** The primary key, a UUID. Exposed if it has a description. */
export function RowId(description?: string): PropertyDecorator {
  return (target, name) => {
    if (description !== undefined) Field(() => ID, { description })(target, name);
    PrimaryKey({ type: types.uuid })(target, String(name));
  };
}

/** A text of at most 255 characters. */
export const Text = (...args: ColumnArgs) => defineColumn(types.string, () => String, args);

/** A text of any length. */
export const LongText = (...args: ColumnArgs) => defineColumn(types.text, () => String, args);

/** A whole number. */
export const Integer = (...args: ColumnArgs) => defineColumn(types.integer, () => Int, args);

/** An amount of money in cents. */
export const Cents = (...args: ColumnArgs) => defineColumn(types.integer, () => Int, args);

/** A moment, in UTC. */
export const Moment = (...args: ColumnArgs) => defineColumn(types.datetime, () => Date, args);

/** A calendar day, `YYYY-MM-DD`. */
export const Day = (...args: ColumnArgs) => defineColumn(types.date, () => DayScalar, args);

/** Yes or no. */
export const Flag = (...args: ColumnArgs) => defineColumn(types.boolean, () => Boolean, args);

/** The id of a row or a user without a foreign key. */
export const Uuid = (...args: ColumnArgs) => defineColumn(types.uuid, () => ID, args);

/** JSON, whose GraphQL type is `field` if it is exposed. */
export const Json = (...args: ColumnArgs) => defineColumn(types.json, () => String, args);

/** A value of a closed list, exposed as its enum. The description is the list's meaning by default. */
export function Choice(list: ClosedList, ...[first, second]: ColumnArgs): PropertyDecorator {
  const type = typeof list[0]?.value === "number" ? types.smallint : types.string;
  const [description, options] = typeof first === "string" ? [first, second] : [list.meaning, first];
  return defineColumn(type, enumType(list), [description, { personal: "none", ...options }]);
}

/** A foreign key. GraphQL exposes it with a field resolver. */
export function Reference(
  entity: () => EntityName<object>,
  { personal, ...options }: Partial<ManyToOneOptions<object, object>> & { readonly personal?: Personal } = {},
): PropertyDecorator {
  return (target, name) => {
    ManyToOne(entity, options)(target, String(name));
    if (personal) classifyColumn(target, name, personal);
  };
}

/** Adds a class of personal data to a column that the ORM's own decorator declares. */
export function Classified(personal: Personal): PropertyDecorator {
  return (target, name) => classifyColumn(target, name, personal);
}

/**
 * An index of the table as the SQL that creates it, for an order, a condition, an expression or included columns.
 * @throws Error if the SQL doesn't create a named index
 */
export function SqlIndex(sql: string) {
  const name = /^create (?:unique )?index (\S+) on /.exec(sql)?.[1];
  if (!name) throw new Error(`Not the SQL of an index: ${sql}`);
  return Index({ name, expression: sql });
}

/**
 * What happens to the value of a column when its user is erased: nothing, because it identifies nobody; the part that
 * erases the table's personal data deletes it; another part does; or it is kept, for a reason.
 */
export type Personal = "none" | "deleted" | { readonly erasedBy: string } | { readonly kept: string };

/** Reasons for keeping a column that several tables share. */
export const kept = {
  books: { kept: "Accounting records without a name." },
  staffLog: { kept: "Identifies the actor without a name." },
} as const satisfies Readonly<Record<string, Personal>>;

/** Returns the name of the column that stores a property: `firstName` → `first_name`. */
export const toColumnName = (property: string) => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns the name of the property that a column stores: `first_name` → `firstName`. */
export const toPropertyName = (column: string) =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const classes = new Map<unknown, Map<string, Personal>>();

/** Records the class of a column, for the decorators of `columns.ts`. */
function classifyColumn(target: object, name: string | symbol, personal: Personal): void {
  const known = classes.get(target.constructor) ?? new Map<string, Personal>();
  classes.set(target.constructor, known.set(String(name), personal));
}

/** Kinds of column that can't contain personal data on their own: numbers, times, yes or no, and primary keys. */
const impersonalTypes = /^(smallint|int|bigint|bigserial|double precision|boolean|date|timestamptz)\b/;

/**
 * Returns the treatment of the table of each entity when a user is erased, from the classes of its columns and what the
 * `personal-data.ts` files declare for whole tables.
 * @throws Error if a text, JSON or reference has no class, or a column is deleted and no part of the erasure does it
 */
export function classifyTables(
  orm: Pick<MikroORM, "getMetadata">,
  declared: NonNullable<PersonalData["tables"]>,
): Readonly<Record<string, TableTreatment>> {
  const faults: string[] = [];
  const found = [...orm.getMetadata().getAll().values()].map((meta): [string, TableTreatment] => {
    const table = declared[meta.tableName];
    if (table && ("deleted" in table || "impersonal" in table)) return [meta.tableName, table];
    const erased: Record<string, string> = {};
    const keptColumns: Record<string, string> = {};
    let impersonal = "";
    for (const { column, personal } of listColumns(meta)) {
      const add = (columns = "") => `${columns} ${column}`.trim();
      if (personal === undefined) faults.push(`${meta.tableName}.${column} has no class of personal data.`);
      else if (personal === "none") impersonal = add(impersonal);
      else if (typeof personal === "object" && "kept" in personal)
        keptColumns[personal.kept] = add(keptColumns[personal.kept]);
      else {
        const part = personal === "deleted" ? table?.erasedBy : personal.erasedBy;
        if (part === undefined) faults.push(`No part of the erasure deletes ${meta.tableName}.${column}.`);
        else erased[part] = add(erased[part]);
      }
    }
    const treatment = {
      ...(Object.keys(erased).length > 0 ? { erased } : {}),
      ...(Object.keys(keptColumns).length > 0 ? { kept: keptColumns } : {}),
      impersonal,
    };
    return [meta.tableName, treatment];
  });
  if (faults.length > 0)
    throw new Error(`${faults.join("\n")}\nWrite \`personal\` in the column's decorator (docs/architecture.md).`);
  const whole = Object.entries(declared).filter((one): one is [string, TableTreatment] => !("erasedBy" in one[1]));
  return Object.fromEntries([...whole, ...found]);
}

function listColumns(meta: EntityMetadata): { column: string; personal: Personal | undefined }[] {
  const own = classes.get(meta.class);
  return meta.props.flatMap(({ name, fieldNames, columnTypes, persist, primary, kind, owner }) => {
    if (persist === false || kind === "1:m" || kind === "m:n" || (kind === "1:1" && owner === false)) return [];
    const isImpersonal = kind === "scalar" && (primary === true || impersonalTypes.test(columnTypes[0] ?? ""));
    return fieldNames.map((column) => ({ column, personal: own?.get(name) ?? (isImpersonal ? "none" : undefined) }));
  });
}
