import type { Schema } from "./openapi-types.ts";

/** A type in words. `object` is the shared object named in `text`, if any. */
export interface TypeWords {
  readonly text: string;
  readonly object?: string;
}

/** One line of a table of fields. */
export interface Field {
  /** Path from the top, such as `machine.fingerprint` or `events[].id`. */
  readonly name: string;
  /** Nesting depth, 0 at the top. */
  readonly depth: number;
  readonly type: TypeWords;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Constraints as phrases, such as `8 to 200 characters`. */
  readonly rules: readonly string[];
  readonly text: string;
  /** Heading for the following fields, which belong to one of several alternatives. */
  readonly variant?: string;
}

/** Schemas by name, and whether a schema is listed once as a shared object. */
export interface Shapes {
  readonly named: Readonly<Record<string, Schema>>;
  readonly isListed: (name: string) => boolean;
}

const REFERENCE = "#/components/schemas/";
/** Deepest nesting shown, which also ends recursive schemas. */
const MAX_DEPTH = 5;

/** Returns the name of the schema that a schema refers to, or null. */
export const nameOf = (schema: Schema): string | null =>
  schema.$ref?.startsWith(REFERENCE) ? schema.$ref.slice(REFERENCE.length) : null;

/** Resolves references and merges the parts of `allOf`. Keywords next to a reference take precedence. */
export function resolve(schema: Schema, shapes: Shapes, steps = 0): Schema {
  const name = nameOf(schema);
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

const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === "string" ? [type] : type;
const isNull = (schema: Schema) =>
  schema.const === null || (typesOf(schema).length === 1 && typesOf(schema)[0] === "null");

/** Returns the alternatives of a schema other than null. */
function alternatives(schema: Schema): readonly Schema[] {
  return (schema.oneOf ?? schema.anyOf ?? []).filter((one) => !isNull(one));
}

const mayBeNull = (schema: Schema): boolean =>
  typesOf(schema).includes("null") || [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].some(isNull);

/** Describes a type in words, such as `list of Licence`, `string or null` or `true`. */
export function typeWords(schema: Schema, shapes: Shapes): TypeWords {
  const known = plainType(schema, shapes);
  return mayBeNull(resolve(schema, shapes)) && known.text !== "null"
    ? { ...known, text: `${known.text} or null` }
    : known;
}

function plainType(schema: Schema, shapes: Shapes): TypeWords {
  const name = nameOf(schema);
  if (name !== null && shapes.isListed(name)) return { text: name, object: name };
  const whole = resolve(schema, shapes);
  if ("const" in whole) return { text: JSON.stringify(whole.const) };
  const kinds = alternatives(whole);
  if (kinds.length > 0) {
    const words = kinds.map((kind) => plainType(kind, shapes));
    const object = words.find((one) => one.object)?.object;
    return { text: [...new Set(words.map(({ text }) => text))].join(" or "), ...(object ? { object } : {}) };
  }
  const types = typesOf(whole).filter((type) => type !== "null");
  if (types.includes("array")) {
    const inner = plainType(whole.items ?? {}, shapes);
    return { ...inner, text: `list of ${inner.text}` };
  }
  if (whole.additionalProperties && whole.additionalProperties !== true && !whole.properties)
    return { text: `object of ${plainType(whole.additionalProperties, shapes).text}` };
  const text = types.map((type) => spoken(type, whole)).join(" or ");
  return { text: text || (whole.properties ? "object" : mayBeNull(whole) ? "null" : "anything") };
}

function spoken(type: string, { format, contentEncoding }: Schema): string {
  if (type !== "string") return type;
  if (contentEncoding) return contentEncoding;
  if (format === "binary") return "file";
  if (format === "date-time") return "date and time";
  return format ?? "string";
}

/** Describes the constraints of a value as phrases. */
export function rulesOf(schema: Schema, shapes: Shapes): readonly string[] {
  const whole = resolve(schema, shapes);
  const own = alternatives(whole).length === 1 ? { ...whole, ...resolve(alternatives(whole)[0] ?? {}, shapes) } : whole;
  const values = own.enum?.filter((value) => value !== null);
  const inner = own.items ? rulesOf(own.items, shapes).map((rule) => `each ${rule}`) : [];
  return [
    ...(values ? [`one of ${values.map((value) => JSON.stringify(value)).join(", ")}`] : []),
    ...between(own.minLength, own.maxLength, "character"),
    ...between(own.minItems, own.maxItems, "item"),
    ...between(own.minProperties, own.maxProperties, "entry", "entries"),
    ...between(own.minimum, own.maximum, ""),
    ...(own.exclusiveMinimum === undefined ? [] : [`more than ${own.exclusiveMinimum}`]),
    ...(own.exclusiveMaximum === undefined ? [] : [`less than ${own.exclusiveMaximum}`]),
    ...(own.multipleOf === undefined ? [] : [`a multiple of ${own.multipleOf}`]),
    ...(own.uniqueItems ? ["unique items"] : []),
    // A format already describes its pattern.
    ...(own.pattern && !own.format ? [`matches ${own.pattern}`] : []),
    ...("default" in own && (typeof own.default !== "object" || own.default === null)
      ? [`default ${JSON.stringify(own.default)}`]
      : []),
    ...inner,
  ];
}

function between(least: number | undefined, most: number | undefined, one: string, many = `${one}s`): string[] {
  const unit = (count: number | undefined) => (one ? ` ${count === 1 ? one : many}` : "");
  if (least !== undefined && least === most) return [`exactly ${least}${unit(least)}`];
  // A minimum of 0 is no constraint.
  if (most === undefined) return least ? [`at least ${least}${unit(least)}`] : [];
  if (least === undefined || (least === 0 && one)) return [`at most ${most}${unit(most)}`];
  return [`${least} to ${most}${unit(most)}`];
}

/**
 * Lists the fields of a schema: of an object, of the objects in a list, or of each alternative. Shared objects are listed
 * only at the top level and linked elsewhere.
 */
export function fieldsOf(schema: Schema, shapes: Shapes): readonly Field[] {
  return linesOf(schema, shapes, { path: "", depth: 0, above: [] });
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** Names of the enclosing schemas. */
  readonly above: readonly string[];
}

function linesOf(schema: Schema, shapes: Shapes, place: Place): readonly Field[] {
  const name = nameOf(schema);
  if (name !== null && (place.above.includes(name) || (place.depth > 0 && shapes.isListed(name)))) return [];
  const whole = resolve(schema, shapes);
  const here = { ...place, above: name === null ? place.above : [...place.above, name] };
  if (place.depth > MAX_DEPTH) return [];
  const kinds = alternatives(whole);
  const own = propertiesOf(whole, shapes, here);
  if (kinds.length === 1) return [...own, ...linesOf(kinds[0] ?? {}, shapes, here)];
  if (kinds.length > 1) return [...own, ...kinds.flatMap((kind, index) => variantOf(kind, index, shapes, here))];
  if (whole.items) return [...own, ...linesOf(whole.items, shapes, { ...here, path: `${here.path}[]` })];
  if (typeof whole.additionalProperties === "object" && place.depth > 0)
    return [...own, ...linesOf(whole.additionalProperties, shapes, { ...here, path: `${here.path}.*` })];
  return own;
}

function variantOf(kind: Schema, index: number, shapes: Shapes, place: Place): readonly Field[] {
  const lines = linesOf(kind, shapes, place);
  if (lines.length === 0) return [];
  const title = resolve(kind, shapes).title ?? nameOf(kind) ?? `Form ${index + 1}`;
  const heading = { name: "", depth: place.depth, type: { text: "" }, required: false, deprecated: false, rules: [] };
  return [{ ...heading, text: "", variant: place.path ? `${place.path} as ${title}` : title }, ...lines];
}

function propertiesOf(schema: Schema, shapes: Shapes, place: Place): readonly Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, value]) => {
    const path = place.path ? `${place.path}.${key}` : key;
    const whole = resolve(value, shapes);
    const only = alternatives(whole).length === 1 ? resolve(alternatives(whole)[0] ?? {}, shapes) : {};
    const field: Field = {
      name: path,
      depth: place.depth,
      type: typeWords(value, shapes),
      required: required.includes(key),
      deprecated: whole.deprecated === true,
      rules: rulesOf(value, shapes),
      text: [whole.description ?? only.description ?? "", ...(whole["x-sentences"] ?? [])].filter(Boolean).join(" "),
    };
    return [field, ...linesOf(value, shapes, { ...place, path, depth: place.depth + 1 })];
  });
}
