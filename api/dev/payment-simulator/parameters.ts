import { invalid, notSimulated } from "./errors.ts";

/** Reads one parameter from what came over the wire; `required` ones must be there. */
export interface Reader<Value> {
  read(value: unknown, name: string): Value;
  readonly required?: boolean;
}

/** The parameters that a call knows, by name. */
export type Shape = Readonly<Record<string, Reader<unknown>>>;

/** The values of a shape; what is not required may be missing. */
export type Parsed<S extends Shape> = {
  [Name in keyof S]: S[Name] extends { required: true; read(...args: never): infer Value }
    ? Value
    : S[Name] extends Reader<infer Value>
      ? Value | undefined
      : never;
};

const name = (outer: string, inner: string) => (outer ? `${outer}[${inner}]` : inner);

/** Text; empty text stands for "take the value away". */
export const text: Reader<string> = {
  read(value, param) {
    if (typeof value !== "string") throw invalid(`Invalid string: ${param}`, param);
    return value;
  },
};

/** A whole number. */
export const whole: Reader<number> = {
  read(value, param) {
    if (typeof value !== "string" || !/^-?\d{1,15}$/.test(value))
      throw invalid(`Invalid integer: ${String(value)}`, param, "parameter_invalid_integer");
    return Number(value);
  },
};

/** A number with or without decimals. */
export const decimal: Reader<number> = {
  read(value, param) {
    if (typeof value !== "string" || !/^-?\d{1,12}(\.\d{1,12})?$/.test(value))
      throw invalid(`Invalid decimal: ${String(value)}`, param);
    return Number(value);
  },
};

/** `true` or `false`. */
export const flag: Reader<boolean> = {
  read(value, param) {
    if (value !== "true" && value !== "false") throw invalid(`Invalid boolean: ${String(value)}`, param);
    return value === "true";
  },
};

/** One of some words; a word the provider knows and the simulator does not answers 501. */
export function enumeration<const Word extends string>(...words: Word[]): Reader<Word> {
  return {
    read(value, param) {
      const word = words.find((candidate) => candidate === value);
      if (word === undefined) throw notSimulated(`${param}=${String(value)}`, param);
      return word;
    },
  };
}

/** A list; empty text is the empty list. */
export function list<Value>(item: Reader<Value>): Reader<Value[]> {
  return {
    read(value, param) {
      if (value === "") return [];
      if (!Array.isArray(value)) throw invalid(`Invalid array: ${param}`, param);
      return value.map((each, index) => item.read(each, name(param, String(index))));
    },
  };
}

/** Named values of a shape. */
export function group<S extends Shape>(shape: S): Reader<Parsed<S>> {
  return {
    read(value, param) {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw invalid(`Invalid object: ${param}`, param);
      return parse(shape, value as Record<string, unknown>, param);
    },
  };
}

/** Free names with text values; an empty value takes the name away, empty text takes all away. */
export const metadata: Reader<Record<string, string>> = {
  read(value, param) {
    if (value === "") return {};
    if (typeof value !== "object" || value === null) throw invalid(`Invalid object: ${param}`, param);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, text.read(each, name(param, key))]));
  },
};

/** Moments before, after or at: `created[gte]` and its like, or one moment. */
export const range: Reader<{ gt?: number; gte?: number; lt?: number; lte?: number }> = {
  read(value, param) {
    if (typeof value === "string") {
      const moment = whole.read(value, param);
      return { gte: moment, lte: moment };
    }
    return group({ gt: whole, gte: whole, lt: whole, lte: whole }).read(value, param);
  },
};

/** The same reader, for a parameter that must be sent. */
export function required<Value>(reader: Reader<Value>): Reader<Value> & { required: true } {
  return { read: (value, param) => reader.read(value, param), required: true };
}

/** How lists are paged. */
export const paging = { limit: whole, starting_after: text, ending_before: text } satisfies Shape;

/** Checks values against a shape. A name the shape does not know answers 501 instead of being ignored. */
export function parse<S extends Shape>(shape: S, values: Record<string, unknown>, outer = ""): Parsed<S> {
  for (const key of Object.keys(values))
    if (!Object.hasOwn(shape, key)) throw notSimulated(`the parameter ${name(outer, key)}`, name(outer, key));
  const parsed: Record<string, unknown> = {};
  for (const [key, reader] of Object.entries(shape)) {
    const param = name(outer, key);
    if (values[key] !== undefined) parsed[key] = reader.read(values[key], param);
    else if (reader.required) throw invalid(`Missing required param: ${param}.`, param, "parameter_missing");
  }
  return parsed as Parsed<S>;
}

/** Unfolds `a[b][0]=c` into nested values. */
export function unfold(encoded: string): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(encoded)) {
    const path = key.replaceAll("]", "").split("[");
    let place = root;
    for (const [index, part] of path.entries()) {
      const step = part === "" ? String(Object.keys(place).length) : part;
      if (["__proto__", "constructor", "prototype"].includes(step)) throw invalid(`Invalid parameter: ${key}`);
      if (index === path.length - 1) {
        place[step] = value;
        break;
      }
      if (typeof place[step] !== "object") place[step] = {};
      place = place[step] as Record<string, unknown>;
    }
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, withLists(value)]));
}

function withLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withLists(each)] as const);
  if (entries.length > 0 && entries.every(([key], index) => key === String(index)))
    return entries.map(([, each]) => each);
  return Object.fromEntries(entries);
}

/** An address in the provider's fields. */
export const addressShape = group({
  line1: text,
  line2: text,
  city: text,
  state: text,
  postal_code: text,
  country: text,
});

/** Values with empty text as null and what was not sent left out. */
export function clean<Values extends object>(
  values: Values,
): { [Name in keyof Values]?: Exclude<Values[Name], undefined> | null } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, value === "" ? null : value])) as never;
}
