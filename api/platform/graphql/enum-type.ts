import { registerEnumType } from "type-graphql";
import type { ClosedList } from "#schema/closed-list.ts";

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
