import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { Context } from "#api/platform/context.ts";
import type { ObjectClass } from "./declare.ts";
import { loadReference } from "./loaders.ts";

/** A field that leads to the object to which a property refers. */
interface Link<Property extends string> {
  readonly property: Property;
  readonly type: () => ObjectClass<object>;
  readonly description: string;
  /** `Allow(…)` */
  readonly access: MethodDecorator;
  readonly nullable: boolean;
  readonly load: (value: never, context: Context) => unknown;
}

/** Creates a function that declares a link by ID, which is null if there is no ID or no object. */
export const createLink =
  <To extends object>(type: () => ObjectClass<To>, load: (context: Context, id: string) => Promise<To | null>) =>
  <Property extends string>(property: Property, description: string, access: MethodDecorator): Link<Property> => ({
    property,
    type,
    description,
    access,
    nullable: true,
    load: (id: string | null, context) => (id === null ? null : load(context, id)),
  });

/** Declares a link by a to-one property of an entity. */
export const linkReference = <Property extends string>(
  property: Property,
  type: () => ObjectClass<object>,
  description: string,
  access: MethodDecorator,
  { nullable = false } = {},
): Link<Property> => ({
  property,
  type,
  description,
  access,
  nullable,
  load: (row: object | null) => row && loadReference(row),
});

/** Declares fields of a type that lead to the objects behind its IDs (decision 0131). Returns their resolver. */
export function createLinks<From extends object>(
  from: () => ObjectClass<From>,
  links: Readonly<Record<string, Link<keyof From & string>>>,
): ObjectClass<object> {
  class Links {}
  for (const [name, { property, type, description, access, nullable, load }] of Object.entries(links)) {
    const method = { value: (row: From, context: Context) => load(row[property] as never, context) };
    Object.defineProperty(Links.prototype, name, method);
    Root()(Links.prototype, name, 0);
    Ctx()(Links.prototype, name, 1);
    FieldResolver(type as never, { description, nullable })(Links.prototype, name, method);
    access(Links.prototype, name, method);
  }
  Resolver(from as never)(Links);
  return Links;
}
