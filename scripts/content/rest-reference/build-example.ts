import type { Media, Schema } from "./openapi-types.ts";
import { getSchemaName, resolve, type Shapes } from "./schema-fields.ts";

const byFormat: Readonly<Record<string, string>> = {
  uuid: "5d1c8f3e-2b7a-4c60-9e41-0a6d7b8c9f10",
  "date-time": "2025-03-05T01:00:00.000Z",
  date: "2025-03-05",
  email: "ada@example.com",
  uri: "https://example.com/",
};

/**
 * Returns the example in the document, or one built from the schema if there is none; undefined if there is no schema
 * either.
 */
export function findExample({ example, examples, schema }: Media, shapes: Shapes): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values(examples ?? {});
  if (first?.value !== undefined) return first.value;
  return schema && Object.keys(schema).length > 0 ? buildExample(schema, shapes) : undefined;
}

/** Builds a value that matches a schema, with all fields of its objects. Recursive schemas are left out. */
export function buildExample(schema: Schema, shapes: Shapes, above: readonly string[] = []): unknown {
  const name = getSchemaName(schema);
  if (name !== null && above.includes(name)) return undefined;
  const inside = name === null ? above : [...above, name];
  const whole = resolve(schema, shapes);
  if (whole.example !== undefined) return whole.example;
  if (whole.examples?.[0] !== undefined) return whole.examples[0];
  if ("const" in whole) return whole.const;
  if (whole.enum) return whole.enum[0];
  const [first] = whole.oneOf ?? whole.anyOf ?? [];
  if (first && !whole.properties) return buildExample(first, shapes, inside);
  const type = typeof whole.type === "string" ? whole.type : whole.type?.find((one) => one !== "null");
  if (type === "object" || whole.properties)
    return Object.fromEntries(
      Object.entries(whole.properties ?? {})
        .map(([key, value]) => [key, buildExample(value, shapes, inside)] as const)
        .filter(([, value]) => value !== undefined),
    );
  if (type === "array") {
    const item = buildExample(whole.items ?? {}, shapes, inside);
    return item === undefined ? [] : [item];
  }
  if (type === "boolean") return whole.default ?? true;
  if (type === "integer" || type === "number") return whole.default ?? whole.minimum ?? 1;
  if (type === "string") return byFormat[whole.format ?? ""] ?? whole.default ?? "…";
  return undefined;
}
