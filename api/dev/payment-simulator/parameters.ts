import type { PaymentError, PaymentIntent, SetupIntent } from "./objects.ts";

/** Validates and converts one request parameter. */
export interface Reader<Value> {
  read(value: unknown, name: string): Value;
  readonly required?: boolean;
}

/** The parameters a route accepts, by name. */
export type Shape = Readonly<Record<string, Reader<unknown>>>;

/** Values of a shape. Parameters that aren't required may be undefined. */
export type Parsed<S extends Shape> = {
  [Name in keyof S]: S[Name] extends { required: true; read(...args: never): infer Value }
    ? Value
    : S[Name] extends Reader<infer Value>
      ? Value | undefined
      : never;
};

const joinName = (outer: string, inner: string) => (outer ? `${outer}[${inner}]` : inner);

function createReader<Value>(kind: string, pattern: RegExp, convert: (text: string) => Value): Reader<Value> {
  return {
    read(value, param) {
      if (typeof value !== "string" || !pattern.test(value)) throw invalid(`Invalid ${kind}: ${String(value)}`, param);
      return convert(value);
    },
  };
}

/** Reads a string. An empty string clears the value. */
export const text = createReader("string", /^/, String);
export const integer = createReader("integer", /^-?\d{1,15}$/, Number);
export const decimal = createReader("decimal", /^-?\d{1,12}(\.\d{1,12})?$/, Number);
export const flag = createReader("boolean", /^(true|false)$/, (value) => value === "true");

/** Creates a reader for an enumeration. Any other value causes a 501 error. */
export function enumeration<const Word extends string>(...words: Word[]): Reader<Word> {
  return {
    read(value, param) {
      const word = words.find((candidate) => candidate === value);
      if (word === undefined) throw notSimulated(`${param}=${String(value)}`, param);
      return word;
    },
  };
}

/** Creates a reader for a list. An empty string is an empty list. */
export function list<Value>(item: Reader<Value>): Reader<Value[]> {
  return {
    read(value, param) {
      if (value === "") return [];
      if (!Array.isArray(value)) throw invalid(`Invalid array: ${param}`, param);
      return value.map((each, index) => item.read(each, joinName(param, String(index))));
    },
  };
}

/** Creates a reader for an object with the parameters of a shape. */
export function group<S extends Shape>(shape: S): Reader<Parsed<S>> {
  return {
    read(value, param) {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw invalid(`Invalid object: ${param}`, param);
      return parseParameters(shape, value as Record<string, unknown>, param);
    },
  };
}

/** Creates a reader for an object that an empty string removes. */
export function removable<Value>(reader: Reader<Value>): Reader<Value | null> {
  return { read: (value, param) => (value === "" ? null : reader.read(value, param)) };
}

/** Reads metadata. An empty value removes its key. */
export const metadata: Reader<Record<string, string>> = {
  read(value, param) {
    if (typeof value !== "object" || value === null) throw invalid(`Invalid object: ${param}`, param);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, text.read(each, joinName(param, key))]));
  },
};

/** Creates a reader for a required parameter from the reader for an optional one. */
export function required<Value>(reader: Reader<Value>): Reader<Value> & { required: true } {
  return { read: (value, param) => reader.read(value, param), required: true };
}

/**
 * Validates parameters against a shape.
 * @throws ProviderError 501 for a parameter that isn't in the shape, 400 for an invalid or missing one.
 */
export function parseParameters<S extends Shape>(shape: S, values: Record<string, unknown>, outer = ""): Parsed<S> {
  for (const key of Object.keys(values))
    if (!Object.hasOwn(shape, key)) throw notSimulated(`the parameter ${joinName(outer, key)}`, joinName(outer, key));
  const parsed: Record<string, unknown> = {};
  for (const [key, reader] of Object.entries(shape)) {
    const param = joinName(outer, key);
    if (values[key] !== undefined) parsed[key] = reader.read(values[key], param);
    else if (reader.required) throw invalid(`Missing required param: ${param}.`, param, "parameter_missing");
  }
  return parsed as Parsed<S>;
}

/** Parses a URL-encoded form. Names such as `a[b][0]` become nested objects and lists. */
export function parseForm(encoded: string): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(encoded)) {
    const path = key.replaceAll("]", "").split("[");
    let target = root;
    for (const [index, part] of path.entries()) {
      const step = part === "" ? String(Object.keys(target).length) : part;
      if (["__proto__", "constructor", "prototype"].includes(step)) throw invalid(`Invalid parameter: ${key}`);
      if (index === path.length - 1) {
        target[step] = value;
        break;
      }
      if (typeof target[step] !== "object") target[step] = {};
      target = target[step] as Record<string, unknown>;
    }
  }
  return Object.fromEntries(Object.entries(root).map(([key, value]) => [key, convertLists(value)]));
}

function convertLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, convertLists(each)] as const);
  if (entries.length > 0 && entries.every(([key], index) => key === String(index)))
    return entries.map(([, each]) => each);
  return Object.fromEntries(entries);
}

/** An error in the provider's format. The `stripe` package converts it to the error class of its `type`. */
export class ProviderError extends Error {
  constructor(
    readonly status: number,
    readonly error: Readonly<Record<string, unknown>> & { readonly message: string },
    /** True if changes made before the error are kept, such as a failed payment. Otherwise they are rolled back. */
    readonly keepsChanges = false,
  ) {
    super(error.message);
  }
}

/** Creates a 400 error for an invalid request. */
export function invalid(message: string, param?: string, code?: string): ProviderError {
  return new ProviderError(400, { type: "invalid_request_error", message, param, code });
}

/** Creates a 404 error for an object that doesn't exist or isn't visible to the API key. */
export function missing(what: string, id: string, param = "id"): ProviderError {
  const message = `No such ${what}: '${id}'`;
  return new ProviderError(404, { type: "invalid_request_error", code: "resource_missing", message, param });
}

/** Creates a 501 error for a feature the provider may have but the simulator doesn't. */
export function notSimulated(what: string, param?: string): ProviderError {
  const message = `The payment simulator does not simulate ${what}.`;
  return new ProviderError(501, { type: "invalid_request_error", code: "not_simulated", message, param });
}

/** Creates a 402 error for a card that is declined before an intent uses it. */
export function cardError(error: PaymentError, param?: string): ProviderError {
  return new ProviderError(402, { ...error, param });
}

/**
 * Creates the 402 error for an intent whose card was declined, or which requires authentication that the request can't give.
 * @param what the request's object in the error code, such as `subscription_payment_intent_requires_action`
 */
export function intentError(
  intent: PaymentIntent | SetupIntent,
  { what = "invoice", keepsChanges }: { what?: "invoice" | "subscription"; keepsChanges: boolean },
): ProviderError {
  const declined = intent.object === "payment_intent" ? intent.last_payment_error : intent.last_setup_error;
  const message = "Payment requires additional user action before it can be completed successfully.";
  const error =
    declined && intent.status !== "requires_action"
      ? declined
      : { type: "card_error", code: `${what}_payment_intent_requires_action`, message };
  const { id, object, status } = intent;
  return new ProviderError(402, { ...error, [object]: { id, object, status } }, keepsChanges);
}
