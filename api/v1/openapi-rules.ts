import { convertSchema } from "@sodaru/yup-to-json-schema";
import type { AnyObjectSchema } from "yup";

/** A shape of JSON Schema, as far as is looked into here. */
export interface RuleSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, RuleSchema>>;
  readonly required?: readonly string[];
  readonly items?: RuleSchema;
  readonly [key: string]: unknown;
}

/** How dates come in (docs/domain.md#dates-in); JSON Schema's own `date-time` would be narrower. */
const typedDate = "ISO 8601, YYYY-MM-DD or YYYY-MM-DD HH:mm:ss; UTC where no offset is named";

/** The body or query that rules take, as JSON Schema: what they say, without what the converter adds or leaves out. */
export function schemaOfRules(rules: AnyObjectSchema): RuleSchema {
  return mended(convertSchema(rules, { converters: { date: dateSchema } as never }) as RuleSchema);
}

const dateSchema = ({ nullable, meta }: { nullable?: boolean; meta?: { jsonSchema?: object } }): RuleSchema => ({
  type: nullable ? ["string", "null"] : "string",
  description: typedDate,
  ...meta?.jsonSchema,
});

function mended(schema: RuleSchema): RuleSchema {
  const { default: standard, properties, required, items, ...rest } = schema;
  // An object's default is put together from those of its fields.
  const own = standard === undefined || properties ? {} : { default: standard };
  // What has a default may be left out.
  const asked = required?.filter((name) => properties?.[name]?.default === undefined || properties[name].properties);
  return {
    ...rest,
    ...own,
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, mended(field)])) }
      : {}),
    ...(asked && asked.length > 0 ? { required: asked } : {}),
    ...(items ? { items: mended(items) } : {}),
  };
}
