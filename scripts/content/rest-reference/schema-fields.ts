import type { Schema } from "./openapi-types.ts";

/** A type described in words. `object` is the shared object that `text` mentions, if any. */
export interface TypeWords {
  readonly text: string;
  readonly object?: string;
}

/** One line of a table of fields. */
export interface Field {
  /** Path from the top-level object, such as `machine.fingerprint` or `events[].id`. */
  readonly name: string;
  /** Nesting depth, 0 at the top. */
  readonly depth: number;
  readonly type: TypeWords;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Constraints as phrases, such as `8 to 200 characters`. */
  readonly rules: readonly string[];
  readonly text: string;
  /** Heading for the fields that follow, which belong to one of several alternatives. */
  readonly variant?: string;
}

/** Schemas by name, and a function that returns whether a schema is listed once as a shared object. */
export interface Shapes {
  readonly named: Readonly<Record<string, Schema>>;
  readonly isListed: (name: string) => boolean;
}

const REFERENCE = "#/components/schemas/";
/** Deepest nesting shown, which also ends recursive schemas. */
const MAX_DEPTH = 5;

/** Returns the name of the schema that a reference points to; null if the schema isn't a reference. */
export const getSchemaName = (schema: Schema): string | null =>
  schema.$ref?.startsWith(REFERENCE) ? schema.$ref.slice(REFERENCE.length) : null;

/** Resolves references and merges the parts of `allOf`. Keywords next to a reference take precedence. */
export function resolve(schema: Schema, shapes: Shapes, steps = 0): Schema {
  const name = getSchemaName(schema);
  if (name !== null && steps < 20) {
    const { $ref: _ref, ...overrides } = schema;
    return { ...resolve(shapes.named[name] ?? {}, shapes, steps + 1), ...overrides };
  }
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  return allOf
    .map((part) => resolve(part, shapes, steps + 1))
    .reduce<Schema>(
      (whole, part) => ({
        ...whole,
        ...part,
        properties: { ...whole.properties, ...part.properties },
        required: [...(whole.required ?? []), ...(part.required ?? [])],
      }),
      own,
    );
}

const getTypes = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === "string" ? [type] : type;
const isNull = (schema: Schema) =>
  schema.const === null || (getTypes(schema).length === 1 && getTypes(schema)[0] === "null");

/** Returns the alternatives that a schema allows, except null. */
function getAlternatives(schema: Schema): readonly Schema[] {
  return (schema.oneOf ?? schema.anyOf ?? []).filter((one) => !isNull(one));
}

const isNullable = (schema: Schema): boolean =>
  getTypes(schema).includes("null") || [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].some(isNull);

/** Describes a type in words, such as `list of Licence`, `string or null` or `true`. */
export function describeType(schema: Schema, shapes: Shapes): TypeWords {
  const known = describePlainType(schema, shapes);
  return isNullable(resolve(schema, shapes)) && known.text !== "null"
    ? { ...known, text: `${known.text} or null` }
    : known;
}

function describePlainType(schema: Schema, shapes: Shapes): TypeWords {
  const name = getSchemaName(schema);
  if (name !== null && shapes.isListed(name)) return { text: name, object: name };
  const whole = resolve(schema, shapes);
  if ("const" in whole) return { text: JSON.stringify(whole.const) };
  const kinds = getAlternatives(whole);
  if (kinds.length > 0) {
    const words = kinds.map((kind) => describePlainType(kind, shapes));
    const object = words.find((one) => one.object)?.object;
    return { text: [...new Set(words.map(({ text }) => text))].join(" or "), ...(object ? { object } : {}) };
  }
  const types = getTypes(whole).filter((type) => type !== "null");
  if (types.includes("array")) {
    const inner = describePlainType(whole.items ?? {}, shapes);
    return { ...inner, text: `list of ${inner.text}` };
  }
  if (whole.additionalProperties && whole.additionalProperties !== true && !whole.properties)
    return { text: `object of ${describePlainType(whole.additionalProperties, shapes).text}` };
  const text = types.map((type) => describePrimitive(type, whole)).join(" or ");
  return { text: text || (whole.properties ? "object" : isNullable(whole) ? "null" : "anything") };
}

function describePrimitive(type: string, { format, contentEncoding }: Schema): string {
  if (type !== "string") return type;
  if (contentEncoding) return contentEncoding;
  if (format === "binary") return "file";
  if (format === "date-time") return "date and time";
  return format ?? "string";
}

/** Describes the constraints of a value as phrases. */
export function describeRules(schema: Schema, shapes: Shapes): readonly string[] {
  const whole = resolve(schema, shapes);
  const own =
    getAlternatives(whole).length === 1 ? { ...whole, ...resolve(getAlternatives(whole)[0] ?? {}, shapes) } : whole;
  const values = own.enum?.filter((value) => value !== null);
  const inner = own.items ? describeRules(own.items, shapes).map((rule) => `each ${rule}`) : [];
  return [
    ...(values ? [`one of ${values.map((value) => JSON.stringify(value)).join(", ")}`] : []),
    ...describeRange(own.minLength, own.maxLength, "character"),
    ...describeRange(own.minItems, own.maxItems, "item"),
    ...describeRange(own.minProperties, own.maxProperties, "entry", "entries"),
    ...describeRange(own.minimum, own.maximum, ""),
    ...(own.exclusiveMinimum === undefined ? [] : [`more than ${own.exclusiveMinimum}`]),
    ...(own.exclusiveMaximum === undefined ? [] : [`less than ${own.exclusiveMaximum}`]),
    ...(own.multipleOf === undefined ? [] : [`a multiple of ${own.multipleOf}`]),
    ...(own.uniqueItems ? ["unique items"] : []),
    // Omit the pattern of a field with a format, which already implies it.
    ...(own.pattern && !own.format ? [`matches ${own.pattern}`] : []),
    ...("default" in own && (typeof own.default !== "object" || own.default === null)
      ? [`default ${JSON.stringify(own.default)}`]
      : []),
    ...inner,
  ];
}

function describeRange(least: number | undefined, most: number | undefined, one: string, many = `${one}s`): string[] {
  const unit = (count: number | undefined) => (one ? ` ${count === 1 ? one : many}` : "");
  if (least !== undefined && least === most) return [`exactly ${least}${unit(least)}`];
  // A minimum of 0 is no constraint.
  if (most === undefined) return least ? [`at least ${least}${unit(least)}`] : [];
  if (least === undefined || (least === 0 && one)) return [`at most ${most}${unit(most)}`];
  return [`${least} to ${most}${unit(most)}`];
}

/**
 * Lists the fields of an object, of the objects in a list, or of each alternative of a schema. Shared objects are
 * listed only at the top level and linked elsewhere.
 */
export function listFields(schema: Schema, shapes: Shapes): readonly Field[] {
  return listLines(schema, shapes, { path: "", depth: 0, above: [] });
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** Names of the enclosing schemas. */
  readonly above: readonly string[];
}

function listLines(schema: Schema, shapes: Shapes, place: Place): readonly Field[] {
  const name = getSchemaName(schema);
  if (name !== null && (place.above.includes(name) || (place.depth > 0 && shapes.isListed(name)))) return [];
  const whole = resolve(schema, shapes);
  const here = { ...place, above: name === null ? place.above : [...place.above, name] };
  if (place.depth > MAX_DEPTH) return [];
  const kinds = getAlternatives(whole);
  const own = listProperties(whole, shapes, here);
  if (kinds.length === 1) return [...own, ...listLines(kinds[0] ?? {}, shapes, here)];
  if (kinds.length > 1) return [...own, ...kinds.flatMap((kind, index) => listVariant(kind, index, shapes, here))];
  if (whole.items) return [...own, ...listLines(whole.items, shapes, { ...here, path: `${here.path}[]` })];
  if (typeof whole.additionalProperties === "object" && place.depth > 0)
    return [...own, ...listLines(whole.additionalProperties, shapes, { ...here, path: `${here.path}.*` })];
  return own;
}

function listVariant(kind: Schema, index: number, shapes: Shapes, place: Place): readonly Field[] {
  const lines = listLines(kind, shapes, place);
  if (lines.length === 0) return [];
  const title = resolve(kind, shapes).title ?? getSchemaName(kind) ?? `Form ${index + 1}`;
  const heading = { name: "", depth: place.depth, type: { text: "" }, required: false, deprecated: false, rules: [] };
  return [{ ...heading, text: "", variant: place.path ? `${place.path} as ${title}` : title }, ...lines];
}

function listProperties(schema: Schema, shapes: Shapes, place: Place): readonly Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, value]) => {
    const path = place.path ? `${place.path}.${key}` : key;
    const whole = resolve(value, shapes);
    const only = getAlternatives(whole).length === 1 ? resolve(getAlternatives(whole)[0] ?? {}, shapes) : {};
    const field: Field = {
      name: path,
      depth: place.depth,
      type: describeType(value, shapes),
      required: required.includes(key),
      deprecated: whole.deprecated === true,
      rules: describeRules(value, shapes),
      text: [whole.description ?? only.description ?? "", ...(whole["x-sentences"] ?? [])].filter(Boolean).join(" "),
    };
    return [field, ...listLines(value, shapes, { ...place, path, depth: place.depth + 1 })];
  });
}
