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
 * Declares a GraphQL enum whose codes have no other value or label. `codes` has the description of each code. The type of
 * a code is `keyof typeof …`.
 */
export function createEnum<const Code extends string>(
  name: string,
  description: string,
  codes: Readonly<Record<Code, string>>,
): { readonly [Name in Code]: Name } {
  const names = Object.keys(codes) as Code[];
  const values = Object.fromEntries(names.map((code) => [code, code])) as { readonly [Name in Code]: Name };
  const valuesConfig = Object.fromEntries(names.map((code) => [code, { description: codes[code] }])) as Record<
    Code,
    { readonly description: string }
  >;
  registerEnumType(values, { name, description, valuesConfig });
  return values;
}
