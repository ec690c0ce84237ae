import { type AnyObjectSchema, type ArraySchema, type InferType, type ISchema, ValidationError } from "yup";
import { AppError, badInput, fieldErrorsOf } from "./errors.ts";

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID. An id that is none is answered like an unknown one, before the database is asked. */
export function isUuid(text: unknown): text is string {
  return typeof text === "string" && shape.test(text);
}

/**
 * Checks values against a rule of `schema/rules` and returns them cast (trimmed, defaults filled,
 * unknown fields dropped). Null counts as missing, as documented clients send null for empty.
 * @throws AppError BAD_USER_INPUT with every faulty field at once.
 */
export function check<Rules extends AnyObjectSchema>(rules: Rules, values: unknown): InferType<Rules> {
  if (!isObject(values)) throw new AppError("BAD_USER_INPUT", { fields: { body: ["Must be a JSON object."] } });
  try {
    return rules.validateSync(known(rules, values), { abortEarly: false, stripUnknown: true }) as InferType<Rules>;
  } catch (error) {
    if (error instanceof ValidationError) throw badInput(fieldErrorsOf(error));
    throw error;
  }
}

/**
 * The fields a rule knows, and nothing that could surprise it: yup looks fields up on plain objects
 * (so `constructor` would find one) and casts by calling the value's own `toString`.
 */
function known(rules: AnyObjectSchema, values: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules.fields))
    if (Object.hasOwn(values, name) && values[name] !== null) result[name] = tame(rule as Rule, values[name]);
  return result;
}

type Rule = ISchema<unknown> & { type?: string };

function tame(rule: Rule, value: unknown): unknown {
  if (rule.type === "mixed" || typeof value !== "object" || value === null || value instanceof Date) return value;
  if (rule.type === "object" && isObject(value)) return known(rule as unknown as AnyObjectSchema, value);
  const inner = (rule as unknown as ArraySchema<unknown[], unknown>).innerType as Rule | undefined;
  if (rule.type === "array" && Array.isArray(value)) return value.map((item) => (inner ? tame(inner, item) : item));
  // The rule refuses it by its type; what it holds does not matter.
  return {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
