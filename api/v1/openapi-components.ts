/** Returns a name with a capital first letter. */
export const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Puts a schema, and each object in it, under a name of `components/schemas`, so that generators create a type for it. The name
 * is the schema's title, or else `name`; of an object in it, the name of the outer one and the field: `LeaseBodyMachine`.
 * @returns the reference to it, or the schema itself if it isn't an object
 */
export type Refer = (schema: object, name?: string) => object;

/** Creates an empty set of schemas. Its `refer` throws an Error if two different schemas have the same name. */
export function createComponents(): { readonly schemas: Record<string, object>; readonly refer: Refer } {
  const schemas: Record<string, object> = {};
  const refer: Refer = (schema, given) => {
    const { title = "properties" in schema ? given : undefined, ...rest } = schema as { title?: string };
    const name = title ?? given;
    const parts = Object.entries(rest).flatMap(([key, value]: [string, unknown]) => {
      if (key.startsWith("~")) return [];
      if (key === "properties") return [[key, referFields(value as Fields, title)]];
      if (Array.isArray(value) && ["anyOf", "oneOf", "allOf"].includes(key))
        return [[key, referAlternatives(value as object[], name)]];
      const isSchema = (key === "items" || key === "additionalProperties") && typeof value === "object";
      return [[key, isSchema ? refer(value as object, name) : value]];
    });
    const resolved = Object.fromEntries(parts) as object;
    if (title === undefined) return resolved;
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(resolved))
      throw new Error(`Two schemas of /v1 are named ${title}`);
    schemas[title] = resolved;
    return { $ref: `#/components/schemas/${title}` };
  };
  const referAlternatives = (alternatives: readonly object[], name: string | undefined) => {
    const isOnly = alternatives.filter((one) => "properties" in one).length === 1;
    return alternatives.map((one, at) => refer(one, name && (isOnly ? name : `${name}${at + 1}`)));
  };
  const referFields = (fields: Fields, name: string | undefined) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, schema]) => [field, refer(schema, name && `${name}${capitalize(field)}`)]),
    );
  return { schemas, refer };
}

type Fields = Readonly<Record<string, object>>;
