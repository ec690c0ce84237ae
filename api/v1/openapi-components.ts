import { convertSchema } from "@sodaru/yup-to-json-schema";
import type { AnyObjectSchema } from "yup";
import { type ErrorCode, messageOfErrorCode, refusalCodes } from "#schema/error-codes.ts";
import { exampleIds } from "#api/platform/http/route-examples.ts";

/** Returns a name with a capital first letter. */
export const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Puts a schema, and each object in it, under a name of `components/schemas`, so that generators create a type for it. The name
 * is the schema's title, or else `name`; of an object in it, the name of the outer one and the field: `LeaseBodyMachine`.
 * @returns the reference to it, or the schema itself if it isn't an object
 */
export type Refer = (schema: object, name?: string) => object;

/** Creates an empty set of schemas. Its `refer` throws an Error if two different schemas have the same name. */
export function createComponents(): { readonly schemas: Record<string, object>; readonly refer: Refer } {
  const schemas: Record<string, object> = {};
  const refer: Refer = (schema, given) => {
    const { title = "properties" in schema ? given : undefined, ...rest } = schema as { title?: string };
    const name = title ?? given;
    const parts = Object.entries(rest).flatMap(([key, value]: [string, unknown]) => {
      if (key.startsWith("~")) return [];
      if (key === "properties") return [[key, referFields(value as Fields, title)]];
      if (Array.isArray(value) && ["anyOf", "oneOf", "allOf"].includes(key))
        return [[key, referAlternatives(value as object[], name)]];
      const isSchema = (key === "items" || key === "additionalProperties") && typeof value === "object";
      return [[key, isSchema ? refer(value as object, name) : value]];
    });
    const resolved = Object.fromEntries(parts) as object;
    if (title === undefined) return resolved;
    const known = schemas[title];
    if (known && JSON.stringify(known) !== JSON.stringify(resolved))
      throw new Error(`Two schemas of /v1 are named ${title}`);
    schemas[title] = resolved;
    return { $ref: `#/components/schemas/${title}` };
  };
  const referAlternatives = (alternatives: readonly object[], name: string | undefined) => {
    const isOnly = alternatives.filter((one) => "properties" in one).length === 1;
    return alternatives.map((one, at) => refer(one, name && (isOnly ? name : `${name}${at + 1}`)));
  };
  const referFields = (fields: Fields, name: string | undefined) =>
    Object.fromEntries(
      Object.entries(fields).map(([field, schema]) => [field, refer(schema, name && `${name}${capitalize(field)}`)]),
    );
  return { schemas, refer };
}

type Fields = Readonly<Record<string, object>>;

/** The part of JSON Schema that this file uses. */
interface RuleSchema {
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

/** Builds the content of a JSON body with a schema and an example. */
export const json = (schema: object, example?: unknown) => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

const refusal = {
  type: "object",
  title: "Refusal",
  properties: {
    Message: { type: "string" },
    requestId: { type: "string", description: "The `x-request-id` of the request, or a new UUID" },
    code: {
      type: "string",
      enum: Object.values(refusalCodes),
      description:
        "`step_up_required` if the call needs `POST /v1/core/auth/prove` first; `network_not_allowed` if the personal access token isn't accepted from the caller's address",
    },
  },
  required: ["Message", "requestId"],
};

/** Description of each error code's response. */
export const descriptionOfErrorCode: Readonly<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: "Authentication is required, or the token is invalid or expired.",
  FORBIDDEN: "The caller doesn't have permission for this call.",
  STEP_UP_REQUIRED:
    "The caller doesn't have permission for this call, or, with the `code` `step_up_required`, has to prove their identity first.",
  BAD_USER_INPUT: "Fields are missing or invalid. The body lists the error messages of each field.",
  NOT_FOUND: "The id is unknown or malformed, or belongs to another account.",
  CONFLICT: "The request conflicts with the current state. `Message` gives the reason.",
  REQUEST_TIMEOUT:
    "The request body took longer than 15 seconds to arrive, or an upload took longer than its size allows.",
  PAYLOAD_TOO_LARGE: "The request body is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The content type is not supported.",
  UNPROCESSABLE: "The request is valid but can't be completed, for example because the card was declined.",
  RATE_LIMITED: "Too many requests. `Retry-After` gives the number of seconds to wait.",
  UNAVAILABLE: "The service is temporarily unavailable. Try again later.",
  INTERNAL: "An internal error occurred. Quote the `requestId` when you contact support.",
};

const fieldFaults = {
  type: "object",
  title: "FieldFaults",
  description: "Error messages by field name. `body` refers to the whole request body",
  additionalProperties: { type: "array", items: { type: "string" } },
};

/** Builds the response for an error code (docs/domain.md#errors). */
export function buildErrorResponse(code: ErrorCode, refer: (schema: object) => object): object {
  const sentence = messageOfErrorCode[code];
  const content =
    code === "BAD_USER_INPUT"
      ? json(refer(fieldFaults), { email: ["Email is required."] })
      : code === "NOT_FOUND"
        ? json({ type: "string" }, sentence)
        : json(refer(refusal), {
            Message: sentence,
            ...(code === "STEP_UP_REQUIRED" ? { code: refusalCodes.stepUp } : {}),
            requestId: exampleIds.other,
          });
  const retryAfter = { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } } };
  return {
    description: descriptionOfErrorCode[code],
    ...(code === "RATE_LIMITED" || code === "UNAVAILABLE" ? { headers: retryAfter } : {}),
    content,
  };
}
