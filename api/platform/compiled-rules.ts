import type { AnyObjectSchema, AnySchema } from "yup";

/** Result of a {@link CompiledRules} for values that yup has to examine, because they may be invalid. */
export const undecided = Symbol("undecided");

/** Casts valid values exactly as yup does, at about a tenth of its cost. */
export type CompiledRules = (values: Record<string, unknown>) => Record<string, unknown> | typeof undecided;

/** A test of yup, as `Schema.test` was given it. */
interface Test {
  readonly skipAbsent?: boolean;
  readonly test: (this: TestContext, value: unknown, context: TestContext) => unknown;
}

interface TestContext {
  readonly path: string;
  readonly schema: AnySchema;
  readonly options: object;
  readonly createError: () => false;
  readonly resolve: (value: unknown) => unknown;
  parent: unknown;
  originalValue: unknown;
}

/** The parts of yup's schemas that its types hide. */
interface Internals {
  readonly type: string;
  readonly spec: { readonly strict?: boolean; readonly strip?: boolean; readonly recursive?: boolean };
  readonly conditions: readonly unknown[];
  readonly transforms: readonly ((this: AnySchema, value: unknown, original: unknown, schema: AnySchema) => unknown)[];
  readonly internalTests: Readonly<Record<string, { readonly OPTIONS: Test } | undefined>>;
  readonly tests: readonly { readonly OPTIONS: Test }[];
  readonly innerType?: AnySchema;
}

/** One rule: first the whole value is cast, then it is tested, because tests may read other fields. */
interface Compiled {
  cast(value: unknown): unknown;
  /** Returns whether a cast value is valid. */
  accepts(value: unknown, original: unknown, parent: unknown): boolean;
}

const compiledRules = new WeakMap<AnyObjectSchema, CompiledRules | null>();

/**
 * Compiles a rule of `schema`. The result runs the rule's own transforms and tests, without the bookkeeping that yup needs
 * to describe errors.
 * @returns null if the rule has a part whose meaning depends on other values, such as `when`
 */
export function compileRules(rules: AnyObjectSchema): CompiledRules | null {
  const known = compiledRules.get(rules);
  if (known !== undefined) return known;
  const compiled = compileObject(rules);
  const run: CompiledRules | null = compiled && ((values) => runSafely(compiled, values));
  compiledRules.set(rules, run);
  return run;
}

/** Runs a compiled rule. A test may throw for a value that yup wouldn't have given it. */
function runSafely(compiled: Compiled, values: Record<string, unknown>): ReturnType<CompiledRules> {
  try {
    const cast = compiled.cast(values);
    if (cast === undecided || !compiled.accepts(cast, values, undefined)) return undecided;
    return cast as Record<string, unknown>;
  } catch {
    return undecided;
  }
}

function compile(schema: AnySchema): Compiled | null {
  const { type, spec, conditions, innerType } = schema as unknown as Internals;
  // A lazy schema and a reference have no type.
  if (!spec || spec.strip || spec.recursive === false || conditions.length > 0) return null;
  if (type === "object") return compileObject(schema as AnyObjectSchema);
  if (type === "array") return compileArray(schema, innerType);
  return ["string", "number", "boolean", "date", "mixed"].includes(type) ? compileValue(schema) : null;
}

function compileValue(schema: AnySchema): Compiled {
  const { type, spec, transforms } = schema as unknown as Internals;
  return {
    cast(value) {
      if (typeof value === "object" && type !== "mixed" && !(value instanceof Date)) return undecided;
      let cast = value;
      if (value !== undefined && !spec.strict)
        for (const transform of transforms) cast = transform.call(schema, cast, value, schema);
      return cast === undefined && !spec.strict ? schema.getDefault() : cast;
    },
    accepts: compileTests(schema),
  };
}

function compileArray(schema: AnySchema, innerType: AnySchema | undefined): Compiled | null {
  const inner = innerType ? compile(innerType) : null;
  if (!inner || (schema as unknown as Internals).transforms.length > 0) return null;
  const acceptsList = compileTests(schema);
  return {
    cast(value) {
      if (value === undefined) return schema.getDefault();
      if (!Array.isArray(value)) return undecided;
      const items = value.map((item) => inner.cast(item));
      return items.includes(undecided) ? undecided : items;
    },
    accepts(value, original, parent) {
      if (!acceptsList(value, original, parent)) return false;
      if (!Array.isArray(value) || !Array.isArray(original)) return value === undefined;
      return value.every((item, at) => inner.accepts(item, original[at], value));
    },
  };
}

function compileObject(schema: AnyObjectSchema): Compiled | null {
  if ((schema as unknown as Internals).transforms.length > 0) return null;
  const fields = Object.entries(schema.fields).map(([name, field]) => [name, compile(field as AnySchema)] as const);
  if (!fields.every((field): field is [string, Compiled] => field[1] !== null)) return null;
  const acceptsWhole = compileTests(schema);
  return {
    cast(value) {
      // The default of an object consists of the defaults of its fields.
      if (value === undefined) return schema.getDefault() === undefined ? undefined : undecided;
      if (!isObject(value)) return undecided;
      const result: Record<string, unknown> = {};
      for (const [name, field] of fields) {
        const cast = field.cast(readField(value, name));
        if (cast === undecided) return undecided;
        if (cast !== undefined) result[name] = cast;
      }
      return result;
    },
    accepts(value, original, parent) {
      if (!acceptsWhole(value, original, parent)) return false;
      if (value === undefined) return true;
      return fields.every(([name, field]) =>
        field.accepts((value as Record<string, unknown>)[name], readField(original as object, name), value),
      );
    },
  };
}

/** Returns a field of a client's object. Null counts as missing, and inherited properties aren't fields. */
function readField(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? ((value as Record<string, unknown>)[name] ?? undefined) : undefined;
}

function compileTests(schema: AnySchema): Compiled["accepts"] {
  const { internalTests, tests } = schema as unknown as Internals;
  const all = [...Object.values(internalTests), ...tests].flatMap((test) => (test ? [test.OPTIONS] : []));
  const context: TestContext = {
    path: "",
    schema,
    options: {},
    createError: () => false,
    resolve: rejectReference,
    parent: undefined,
    originalValue: undefined,
  };
  return (value, original, parent) => {
    context.parent = parent;
    context.originalValue = original;
    for (const { test, skipAbsent } of all) {
      if (skipAbsent && (value === undefined || value === null)) continue;
      const result = test.call(context, value, context);
      // Anything else than a plain answer, such as an error or a promise, is yup's to judge.
      if (result !== true) return false;
    }
    return true;
  };
}

/** @throws Error for a reference to another field, which only yup resolves */
function rejectReference(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "isContext" in value)
    throw new Error("References aren't compiled.");
  return value;
}

/** Returns whether a value is an object, but no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
