import "reflect-metadata";
import { type ClassType, Field, Float, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import type { ClosedList } from "#schema/closed-list.ts";
import { DayScalar } from "./scalars.ts";
import { VisibleTo } from "./allow.ts";
import type { Audience } from "./audience.ts";
import type { TypePermission } from "./permissions.ts";

const registered = new Map<ClosedList, object>();

/** Returns the GraphQL enum of a closed list. Its names are the codes, and its internal values are the stored ones. */
export function getEnum(list: ClosedList): object {
  const known = registered.get(list);
  if (known) return known;
  const values = Object.fromEntries(list.map(({ code, value }) => [code, value]));
  registered.set(list, values);
  registerEnumType(values, {
    name: list.title,
    description: list.meaning,
    valuesConfig: Object.fromEntries(list.map(({ code, description }) => [code, { description }])),
  });
  return values;
}

/** Returns the type of a GraphQL field or argument whose value is in a closed list, for `@Field` and `@Arg`. */
export function enumType(list: ClosedList): () => object {
  const type = getEnum(list);
  return () => type;
}

/** Returns the type of a GraphQL field or argument whose values are in a closed list. */
export function enumListType(list: ClosedList): () => [object] {
  const type = getEnum(list);
  return () => [type];
}

/**
 * Declares a GraphQL enum whose internal values are its names, with the description of each. Values that the portal labels
 * or the database stores under another name are a closed list of `schema` instead.
 */
export function declareEnum<const Name extends string>(
  title: string,
  description: string,
  values: Readonly<Record<Name, string>>,
): Readonly<{ [Value in Name]: Value }> {
  const fromNames = <Value>(toValue: (name: Name) => Value) =>
    Object.fromEntries((Object.keys(values) as Name[]).map((name) => [name, toValue(name)])) as Record<Name, Value>;
  const names = fromNames((name) => name) as { [Value in Name]: Value };
  registerEnumType(names, {
    name: title,
    description,
    valuesConfig: fromNames((name) => ({ description: values[name] })),
  });
  return names;
}

interface FieldOptions {
  readonly nullable?: true;
  /** `Allow(…)` or `Scope(…)`, for a field that leads to another type. */
  readonly access?: PropertyDecorator;
}

/** A field of {@link createType}, whose values have the type `Value`. */
interface TypeField<Value = unknown> {
  readonly nullable?: true | "items";
  readonly access?: PropertyDecorator;
  readonly type: () => unknown;
  readonly description: string;
  /** Never set. It tells the compiler the type of the values. */
  readonly value?: Value;
}

type OrNull<Value, Options> = Options extends { readonly nullable: true } ? Value | null : Value;

/** Creates a function that declares a field. A caller can narrow the type of its values. */
const createKind =
  <Value>(type: () => unknown) =>
  <Narrowed extends Value = Value, const Options extends FieldOptions = object>(
    description: string,
    options?: Options,
  ): TypeField<OrNull<Narrowed, Options>> => ({ type, description, ...options });

/** Functions that declare a field of {@link createType}, one for each kind of value. */
export const field = {
  text: createKind<string>(() => String),
  texts: createKind<readonly string[]>(() => [String]),
  id: createKind<string>(() => ID),
  ids: createKind<readonly string[]>(() => [ID]),
  /** Rows of cells, which are null if they are empty. */
  cells: (description: string): TypeField<readonly (readonly (string | null)[])[]> => ({
    type: () => [[String]],
    description,
    nullable: "items",
  }),
  integer: createKind<number>(() => Int),
  /** A number that has decimals or may exceed 32 bits. */
  number: createKind<number>(() => Float),
  flag: createKind<boolean>(() => Boolean),
  moment: createKind<Date>(() => Date),
  /** A calendar day, `YYYY-MM-DD`. */
  day: createKind<string>(() => DayScalar),

  /** A value of a closed list. The description is the list's meaning by default. */
  choice: <Value extends number | string = string, const Options extends FieldOptions = object>(
    list: ClosedList,
    description = list.meaning,
    options?: Options,
  ): TypeField<OrNull<Value, Options>> => ({ type: enumType(list), description, ...options }),

  /** Values of a closed list. */
  choices: <Value extends number | string = string, const Options extends FieldOptions = object>(
    list: ClosedList,
    description: string,
    options?: Options,
  ): TypeField<OrNull<Value[], Options>> => ({ type: enumListType(list), description, ...options }),

  /** A code of an enum from `declareEnum`. */
  code: <Code, const Options extends FieldOptions = object>(
    codes: Readonly<Record<string, Code>>,
    description: string,
    options?: Options,
  ): TypeField<OrNull<Code, Options>> => ({ type: () => codes, description, ...options }),

  /** Codes of an enum from `declareEnum`. */
  codes: <Code, const Options extends FieldOptions = object>(
    codes: Readonly<Record<string, Code>>,
    description: string,
    options?: Options,
  ): TypeField<OrNull<readonly Code[], Options>> => ({ type: () => [codes], description, ...options }),

  /** An object of another type. */
  object: <Value, const Options extends FieldOptions = object>(
    type: () => abstract new (...args: never[]) => Value,
    description: string,
    options?: Options,
  ): TypeField<OrNull<Value, Options>> => ({ type, description, ...options }),

  /** A list of objects of another type. */
  list: <Value, const Options extends FieldOptions = object>(
    type: () => abstract new (...args: never[]) => Value,
    description: string,
    options?: Options,
  ): TypeField<OrNull<readonly Value[], Options>> => ({ type: () => [type()], description, ...options }),
};

type Fields = Readonly<Record<string, TypeField>>;

type ValuesOf<Declared extends Fields> = {
  [Name in keyof Declared]: Exclude<Declared[Name]["value"], undefined>;
};

/**
 * Builds a GraphQL type of objects that aren't rows of a table. Each field is declared once, for GraphQL and for the compiler
 * (decision 0261). The TypeScript type of the objects is `InstanceType<typeof …>`.
 * @param visibleTo the audience of the fields that have no `access`
 */
export function createType<Declared extends Fields>(
  name: string,
  visibleTo: Audience | TypePermission,
  description: string,
  fields: Declared,
): ClassType<ValuesOf<Declared>> {
  class Values {}
  // For messages of type-graphql.
  Object.defineProperty(Values, "name", { value: name });
  ObjectType(name, { description })(Values);
  const { audience, ...rules } = typeof visibleTo === "string" ? { audience: visibleTo } : visibleTo;
  VisibleTo(audience, rules)(Values);
  for (const [property, { type, access, value: _, ...options }] of Object.entries<TypeField>(fields)) {
    Field(type as never, options)(Values.prototype, property);
    access?.(Values.prototype, property);
  }
  return Values as never;
}

/** What every page of a list says about the list, besides its rows (decision 0130). */
export const pageFields = {
  total: field.integer("Number of rows of the list. If `isTotalCapped` is true, the list has at least this many."),
  isTotalCapped: field.flag(
    "Whether `total` isn't exact, because the list is too long to count. Histories count only the rows of the page.",
  ),
  endCursor: field.text(
    "Position of the last row. Pass it as `after` to get the next page. Null at the end of the list.",
    { nullable: true },
  ),
};

/** Builds the GraphQL type of a page of a list, like {@link createType}. It has the {@link pageFields}, too. */
export const createPage = <Declared extends Fields>(
  name: string,
  visibleTo: Audience | TypePermission,
  description: string,
  fields: Declared,
): ClassType<ValuesOf<typeof pageFields & Declared>> =>
  createType(name, visibleTo, description, { ...pageFields, ...fields });

/** Result of a mutation that deletes an object, so that a client can remove it from its cache. */
export const DeletedObject = createType(
  "DeletedObject",
  "everyone",
  "An object that no longer exists. The mutation says which type it had.",
  {
    id: field.id("The ID of the deleted object."),
  },
);
export type DeletedObject = InstanceType<typeof DeletedObject>;
