import { type AnyObjectSchema, type ArraySchema, type InferType, type ISchema, ValidationError } from "yup";
import { compileRules, isObject, undecided } from "./compiled-rules.ts";
import { badInput, toFieldErrors } from "./errors.ts";

// IDs of another form are treated as unknown without a database query.
export { isUuid } from "#schema/text.ts";

/**
 * Validates values with a rule of `schema` and returns them cast: trimmed, with defaults, without unknown fields.
 * Null counts as missing, because documented clients send null for empty fields.
 * @throws AppError BAD_USER_INPUT with messages for all invalid fields
 */
export function check<Rules extends AnyObjectSchema>(rules: Rules, values: unknown): InferType<Rules> {
  if (!isObject(values)) throw badInput({ body: ["Must be a JSON object."] });
  const checked = compileRules(rules)?.(values) ?? undecided;
  return checked === undecided ? examine(rules, values) : (checked as InferType<Rules>);
}

/**
 * Validates values like {@link check}, with yup alone.
 * @throws AppError BAD_USER_INPUT with messages for all invalid fields
 */
export function examine<Rules extends AnyObjectSchema>(
  rules: Rules,
  values: Record<string, unknown>,
): InferType<Rules> {
  try {
    return rules.validateSync(pickKnownFields(rules, values), {
      abortEarly: false,
      stripUnknown: true,
    }) as InferType<Rules>;
  } catch (error) {
    if (error instanceof ValidationError) throw badInput(toFieldErrors(error));
    throw error;
  }
}

/**
 * Returns only the fields defined by a rule, with safe values. yup looks up fields on plain objects, so it would find
 * `constructor`, and casts by calling the value's own `toString`.
 */
function pickKnownFields(rules: AnyObjectSchema, values: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules.fields))
    if (Object.hasOwn(values, name) && values[name] !== null) result[name] = sanitize(rule as Rule, values[name]);
  return result;
}

type Rule = ISchema<unknown> & { type?: string };

function sanitize(rule: Rule, value: unknown): unknown {
  if (rule.type === "mixed" || typeof value !== "object" || value === null || value instanceof Date) return value;
  if (rule.type === "object" && isObject(value)) return pickKnownFields(rule as unknown as AnyObjectSchema, value);
  const inner = (rule as unknown as ArraySchema<unknown[], unknown>).innerType as Rule | undefined;
  if (rule.type === "array" && Array.isArray(value)) return value.map((item) => (inner ? sanitize(inner, item) : item));
  // The rule will reject it by type, so its content doesn't matter.
  return {};
}
