/** Named shapes of the document: each stands once under `components/schemas`, and everywhere else as a reference. */
export interface Components {
  readonly schemas: Record<string, object>;
  /** The schema with every named one within it, itself included, as a reference. */
  readonly refer: (schema: object) => object;
}

/** Starts a document's collection. @throws Error from `refer` when two shapes have one name. */
export function createComponents(): Components {
  const schemas: Record<string, object> = {};
  const refer = (schema: object): object => {
    const resolved = Object.fromEntries(
      Object.entries(schema)
        // The name of a component is its key.
        .filter(([key]) => key !== "title" && !key.startsWith("~"))
        .map(([key, value]) => [key, within(value)]),
    );
    if (!("title" in schema) || typeof schema.title !== "string") return resolved;
    const known = schemas[schema.title];
    if (known && JSON.stringify(known) !== JSON.stringify(resolved))
      throw new Error(`Two shapes of /v1 are named ${schema.title}`);
    schemas[schema.title] = resolved;
    return { $ref: `#/components/schemas/${schema.title}` };
  };
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    return typeof value === "object" && value !== null ? refer(value) : value;
  };
  return { schemas, refer };
}
