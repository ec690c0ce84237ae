/**
 * Decorators of an entity's columns, one for each kind. Each declares the ORM's property, the GraphQL field if the column
 * has a description, and what happens to its personal data. A rare column uses the ORM's own decorator with `@Classified`.
 * Example: `@Text("First name.", { personal: "deleted" })`.
 */
import { type EntityName, type ManyToOneOptions, type PropertyOptions, types } from "@mikro-orm/core";
import { Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int } from "type-graphql";
import type { ClosedList } from "#schema/closed-list.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { classifyColumn, type Personal } from "./column-classes.ts";

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
