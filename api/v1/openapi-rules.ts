import { convertSchema } from "@sodaru/yup-to-json-schema";
import type { AnyObjectSchema } from "yup";

/** The part of JSON Schema that this file uses. */
export interface RuleSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, RuleSchema>>;
  readonly required?: readonly string[];
  readonly items?: RuleSchema;
  readonly [key: string]: unknown;
}

/** Accepted date formats (docs/domain.md#dates-in). JSON Schema's `date-time` would be too narrow. */
const dateFormats = "ISO 8601, YYYY-MM-DD or YYYY-MM-DD HH:mm:ss, in UTC unless an offset is given";

/** Converts validation rules to JSON Schema and corrects the defaults and required fields that the converter produces. */
export function toJsonSchema(rules: AnyObjectSchema): RuleSchema {
  return correctDefaults(convertSchema(rules, { converters: { date: dateSchema } as never }) as RuleSchema);
}

const dateSchema = ({ nullable, meta }: { nullable?: boolean; meta?: { jsonSchema?: object } }): RuleSchema => ({
  type: nullable ? ["string", "null"] : "string",
  description: dateFormats,
  ...meta?.jsonSchema,
});

function correctDefaults(schema: RuleSchema): RuleSchema {
  const { default: defaultValue, properties, required, items, ...rest } = schema;
  // The converter derives an object's default from its fields, so it is left out.
  const ownDefault = defaultValue === undefined || properties ? {} : { default: defaultValue };
  // Fields with a default aren't required.
  const requiredFields = required?.filter(
    (name) => properties?.[name]?.default === undefined || properties[name].properties,
  );
  return {
    ...rest,
    ...ownDefault,
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, correctDefaults(field)]),
          ),
        }
      : {}),
    ...(requiredFields && requiredFields.length > 0 ? { required: requiredFields } : {}),
    ...(items ? { items: correctDefaults(items) } : {}),
  };
}
