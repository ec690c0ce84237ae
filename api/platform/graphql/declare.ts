import "reflect-metadata";
import {
  type AuthChecker,
  Authorized,
  type ClassType,
  Extensions,
  Field,
  Float,
  ID,
  Int,
  ObjectType,
  registerEnumType,
} from "type-graphql";
import type { ClosedList } from "#schema/closed-list.ts";
import { DayScalar } from "./scalars.ts";
import type { Audience } from "./audience.ts";
import {
  type AllowedRoles,
  authorize,
  type Permission,
  type PermissionRules,
  type TypePermission,
} from "./permissions.ts";
import type { Context } from "#api/platform/context.ts";
import type { ScopeRule } from "#api/platform/graphql/token-scopes.ts";

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
  /** `Allow(…)` or `Scope(…)`, for a field that leads to another type. */
  readonly access?: PropertyDecorator;
}

/** A field of {@link createType}, whose values have the type `Value`. */
interface TypeField<Value = unknown> extends FieldOptions {
  readonly nullable?: true | "items";
  readonly type: () => unknown;
  readonly description: string;
  /** Never set. It tells the compiler the type of the values. */
  readonly value?: Value;
}

/** The class of the objects of a GraphQL type. */
export type ObjectClass<Value> = abstract new (...args: never[]) => Value;

/** Creates the functions that declare a field, one for each kind of value. Its values can also be `Null`. */
function createKinds<Null>(nullable: { readonly nullable?: true }) {
  const create = <Value>(
    type: () => unknown,
    description: string,
    options?: FieldOptions,
  ): TypeField<Value | Null> => ({ type, description, ...nullable, ...options });
  /** Creates a function that declares a field. A caller can narrow the type of its values. */
  const createKind =
    <Value>(type: () => unknown) =>
    <Narrowed extends Value = Value>(description: string, options?: FieldOptions) =>
      create<Narrowed>(type, description, options);
  return {
    text: createKind<string>(() => String),
    texts: createKind<readonly string[]>(() => [String]),
    id: createKind<string>(() => ID),
    ids: createKind<readonly string[]>(() => [ID]),
    integer: createKind<number>(() => Int),
    /** A number that has decimals or may exceed 32 bits. */
    number: createKind<number>(() => Float),
    flag: createKind<boolean>(() => Boolean),
    moment: createKind<Date>(() => Date),
    /** A calendar day, `YYYY-MM-DD`. */
    day: createKind<string>(() => DayScalar),

    /** A value of a closed list. The description is the list's meaning by default. */
    choice: <Value extends number | string = string>(list: ClosedList, description = list.meaning) =>
      create<Value>(enumType(list), description),

    /** Values of a closed list. */
    choices: <Value extends number | string = string>(list: ClosedList, description: string) =>
      create<Value[]>(enumListType(list), description),

    /** A code of an enum from `declareEnum`. */
    code: <Code>(codes: Readonly<Record<string, Code>>, description: string) => create<Code>(() => codes, description),

    /** Codes of an enum from `declareEnum`. */
    codes: <Code>(codes: Readonly<Record<string, Code>>, description: string) =>
      create<readonly Code[]>(() => [codes], description),

    /** An object of another type. */
    object: <Value>(type: () => ObjectClass<Value>, description: string, options?: FieldOptions) =>
      create<Value>(type, description, options),

    /** A list of objects of another type. */
    list: <Value>(type: () => ObjectClass<Value>, description: string, options?: FieldOptions) =>
      create<readonly Value[]>(() => [type()], description, options),
  };
}

/** Functions that declare a field of {@link createType}, one for each kind of value. */
export const field = {
  ...createKinds<never>({}),

  /** Rows of cells, which are null if they are empty. */
  cells: (description: string): TypeField<readonly (readonly (string | null)[])[]> => ({
    type: () => [[String]],
    description,
    nullable: "items",
  }),
};

/** Functions that declare a field whose value can be null, like {@link field}. */
export const fieldOrNull = createKinds<null>({ nullable: true });

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
  endCursor: fieldOrNull.text(
    "Position of the last row. Pass it as `after` to get the next page. Null at the end of the list.",
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
  { id: field.id("The ID of the deleted object.") },
);
export type DeletedObject = InstanceType<typeof DeletedObject>;

/** Returns the result of deleting an object. The ID may be written in capitals, and is stored in small letters. */
export const toDeletedObject = (id: string): DeletedObject => ({ id: id.toLowerCase() });

/**
 * Declares who may use a query, mutation or nested field, which is checked before the method runs:
 * `@Allow("admin", { roles: ["support"], scope: "licences:write" })`.
 */
export function Allow<Who extends Audience>(
  audience: Who,
  rules: PermissionRules<Who>,
): MethodDecorator & PropertyDecorator {
  const permission = { audience, ...rules };
  const decorate = (...decorated: Parameters<MethodDecorator>): void => {
    Authorized(permission)(...decorated);
    Extensions({ permission })(...decorated);
  };
  return decorate as MethodDecorator & PropertyDecorator;
}

/**
 * Declares the scope that a personal access token needs for a property that leads to another type. Everyone who sees the
 * property's type sees the property, because it has no method. Its roles are the ones of the operations that lead to the type.
 */
export function Scope(scope: ScopeRule, roles: AllowedRoles = "all"): PropertyDecorator {
  return Extensions({ scope, roles });
}

/** Declares the audience of a type's plain fields: `@VisibleTo("customer")`. */
export function VisibleTo(audience: Audience, rules: Omit<TypePermission, "audience"> = {}): ClassDecorator {
  return Extensions({ visibleTo: { audience, ...rules } });
}

/** Enforces the permission of each field decorated with {@link Allow}. */
export const checkAllowed: AuthChecker<Context, Permission> = ({ root, context, info }, [permission]) => {
  const name = `${info.parentType.name}.${info.fieldName}`;
  if (!permission) throw new Error(`${name} has no permission`);
  const ownerId = info.parentType.name === "User" ? (root as { readonly id: string }).id : undefined;
  authorize(permission, [name], context.actor, ownerId);
  return true;
};
