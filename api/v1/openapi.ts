import { brand } from "#schema/brand.ts";
import { type ErrorCode, sentenceOfErrorCode, statusOfErrorCode } from "#schema/error-codes.ts";
import type { Audience } from "#api/platform/audience.ts";
import { permissions } from "#api/app/permissions.ts";
import { isClosedToViewers, permissionOf } from "#api/platform/permissions.ts";
import { exampleIds } from "./examples.ts";
import { namesOf, type OtherAnswer, type Route, type Upload } from "./frame.ts";
import { schemaOfRules } from "./openapi-rules.ts";

const json = (schema: object, example?: unknown) => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

const audienceText: Record<Audience, string> = {
  everyone: "No sign-in needed.",
  anySession: "For every signed-in user.",
  signedIn: "For every signed-in user.",
  customer: "For customers (member types 1 and 2).",
  regular: "For regular customers (member type 1).",
  admin: "For admins (member type 3).",
};

/** What each group of calls is about. */
const groups: Readonly<Record<string, string>> = {
  "Signing in": "Tokens: by password, by the second step, by a refresh token; and their end.",
  Accounts: "Registration, confirmation of the address, profile.",
  Passwords: "Forgotten, reset and changed passwords.",
  Licences: "A customer's licences and devices; staff give, change and deactivate licences.",
  "Add-in": "The protocol by which the add-in asks whether it may run. Every evaluated question is answered 200.",
  Trial: "The free trial, one per person.",
  Subscriptions: "Subscribing, changing the plan, cancelling, paying with another card. Amounts are cents.",
  "Promo codes": "What a price costs with a promo code; staff keep the codes.",
  "Tax invoices": "A customer's tax invoices and adjustment notes.",
  Users: "Staff's list of users, and each user.",
  Contacts: "The contacts of a user.",
  Comments: "What staff note on users.",
  Reports: "Reports as XLSX and CSV files.",
  "Bulk work": "CSV files of users and licences, checked before anything changes.",
  Software: "Builds of the add-in.",
  Contact: "Messages to the vendor.",
};

/** OpenAPI 3.1 of `/v1`, from the same routes and rules that serve it. @throws Error for a group without a description. */
export function openApiDocument(routes: readonly Route[]): object {
  const components = createComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const url = route.url.replace(/:(\w+)/g, "{$1}");
    (paths[url] ??= {})[route.method.toLowerCase()] = operationOf(route, components.refer);
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => {
    if (!groups[name]) throw new Error(`api/v1/openapi.ts describes no group ${name}`);
    return { name, description: groups[name] };
  });
  return {
    openapi: "3.1.0",
    info: {
      title: `${brand.name} /v1`,
      version: "1.0.0",
      description:
        "The calls of the desktop add-in and the portal's documented calls. Answers are always JSON but for files; moments are ISO 8601 in UTC, amounts are whole cents.",
    },
    servers: [{ url: "/" }],
    tags,
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The access token of POST /v1/core/auth/token, good for ten minutes.",
        },
        personalAccessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "xpat_…",
          description: "A personal access token with the scopes that x-scope names.",
        },
      },
      responses: Object.fromEntries(
        Object.entries(statusOfErrorCode).map(([code]) => [code, errorResponse(code as ErrorCode, components.refer)]),
      ),
      schemas: components.schemas,
    },
  };
}

const refusal = {
  type: "object",
  title: "Refusal",
  properties: { Message: { type: "string" }, requestId: { type: "string", format: "uuid" } },
  required: ["Message", "requestId"],
};

const whenOfErrorCode: Readonly<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: "Not signed in, or no longer.",
  FORBIDDEN: "Signed in, but not for this caller.",
  BAD_USER_INPUT: "Fields that are missing or not valid, each with its sentences.",
  NOT_FOUND: "Unknown, foreign or malformed id: all alike.",
  CONFLICT: "Not as things stand; the sentence says why.",
  REQUEST_TIMEOUT: "The body took longer than 15 seconds to arrive, or an upload longer than its size allows for.",
  PAYLOAD_TOO_LARGE: "More than is taken in one request.",
  UNSUPPORTED_MEDIA_TYPE: "A content type that is not taken.",
  UNPROCESSABLE: "Understood, but it cannot be carried out, such as a declined card.",
  RATE_LIMITED: "Too many attempts; Retry-After says the seconds to wait.",
  UNAVAILABLE: "Temporarily away; try again.",
  INTERNAL: "A fault of ours; requestId finds it in the log.",
};

const fieldFaults = {
  type: "object",
  title: "FieldFaults",
  description: "Sentences by the name of the field; body for the whole",
  additionalProperties: { type: "array", items: { type: "string" } },
};

/** Returns the response of an error code (docs/domain.md#errors). */
function errorResponse(code: ErrorCode, refer: (schema: object) => object): object {
  const sentence = sentenceOfErrorCode[code];
  const content =
    code === "BAD_USER_INPUT"
      ? json(refer(fieldFaults), { email: ["Email is required."] })
      : code === "NOT_FOUND"
        ? json({ type: "string" }, sentence)
        : json(refer(refusal), { Message: sentence, requestId: exampleIds.other });
  const retryAfter = { "Retry-After": { description: "Seconds", schema: { type: "integer" } } };
  return {
    description: whenOfErrorCode[code],
    ...(code === "RATE_LIMITED" ? { headers: retryAfter } : {}),
    content,
  };
}

/** Which errors a call may answer: those that follow from its rights, its address and its body, and its own. */
export function errorsOf(route: Route): ErrorCode[] {
  const { allow, query, url } = route;
  return [
    ...new Set<ErrorCode>([
      // A body is read even where nothing in it is asked for: one that is no JSON, or too large, is refused.
      ...(route.method === "GET"
        ? []
        : (["BAD_USER_INPUT", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)),
      ...(query ? (["BAD_USER_INPUT"] as const) : []),
      ...(allow === "everyone" ? [] : (["UNAUTHENTICATED", "FORBIDDEN"] as const)),
      ...(isClosedToViewers(permissionOf(permissions, route.operation), namesOf(route))
        ? (["FORBIDDEN"] as const)
        : []),
      ...(url.includes("/:") ? (["NOT_FOUND"] as const) : []),
      ...route.errors,
      "RATE_LIMITED",
      "UNAVAILABLE",
      "INTERNAL",
    ]),
  ];
}

function operationOf(route: Route, refer: (schema: object) => object): object {
  const params = [...route.url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    ...route.params[name ?? ""],
    schema: { type: "string" },
  }));
  const rules = route.query && schemaOfRules(route.query);
  const query = Object.entries(rules?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: rules?.required?.includes(name) ?? false,
    ...route.params[name],
    schema,
  }));
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    description: [audienceText[route.allow], ...(route.deprecated ? [`Deprecated. ${route.deprecated}`] : [])].join(
      " ",
    ),
    ...(route.deprecated ? { deprecated: true } : {}),
    "x-who": route.allow,
    ...scopeOf(route),
    ...(params.length + query.length > 0 ? { parameters: [...params, ...query] } : {}),
    ...(route.upload ? { requestBody: { required: true, content: contentOf(route.upload) } } : {}),
    ...(route.body
      ? { requestBody: { required: true, content: json(schemaOfRules(route.body), route.bodyExample) } }
      : {}),
    responses: responsesOf(route, refer),
  };
}

/** Who signs in, and what a personal access token needs (`api/app/permissions.ts`). */
function scopeOf({ operation, allow }: Route): object {
  if (allow === "everyone") return {};
  const rule = permissionOf(permissions, operation).scope;
  if (rule === "session") return { security: [{ bearer: [] }] };
  const scopes = rule === "open" ? [] : [rule].flat();
  const security = [{ bearer: [] }, { personalAccessToken: scopes }];
  return scopes.length === 0 ? { security } : { security, "x-scope": scopes.join(" ") };
}

function responsesOf(route: Route, refer: (schema: object) => object): object {
  const own: Record<string, object> = {
    [route.status]: {
      description: "Done.",
      ...(Object.keys(route.answerHeaders).length > 0 ? { headers: route.answerHeaders } : {}),
      content: route.fileType
        ? { [route.fileType]: { schema: { type: "string", format: "binary" } } }
        : json(refer(route.answer ?? {}), route.example),
    },
  };
  for (const [status, answer] of Object.entries(route.otherAnswers)) own[status] = otherResponse(answer, refer);
  for (const code of errorsOf(route)) {
    const status = statusOfErrorCode[code];
    const besides = route.otherAnswers[status];
    own[status] = besides?.schema ? eitherResponse(code, besides, refer) : { $ref: `#/components/responses/${code}` };
  }
  return own;
}

function otherResponse({ description, schema, example }: OtherAnswer, refer: (schema: object) => object): object {
  return { description, ...(schema ? { content: json(refer(schema), example) } : {}) };
}

/** A status under which a call has an answer of its own beside the usual error. */
function eitherResponse(code: ErrorCode, other: OtherAnswer, refer: (schema: object) => object): object {
  const usual = errorResponse(code, refer) as { content: { "application/json": { schema: object; example: unknown } } };
  const { schema, example } = usual.content["application/json"];
  return {
    description: `${other.description}. Or: ${whenOfErrorCode[code]}`,
    content: {
      "application/json": {
        schema: { anyOf: [refer(other.schema ?? {}), schema] },
        examples: { own: { value: other.example }, usual: { value: example } },
      },
    },
  };
}

/** A name for programs, of the method and the address: `postLicenceActivate`. */
function operationIdOf({ method, url }: Route): string {
  const words = url
    .replace(/^\/v1\//, "")
    .replace(/:(\w+)/g, "by-$1")
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function contentOf({ types, schemas = {}, examples = {} }: Upload): object {
  const mediaOf = (type: string) => ({
    ...(schemas[type] ? { schema: schemas[type] } : {}),
    ...(type in examples ? { example: examples[type] } : {}),
  });
  return Object.fromEntries(types.map((type) => [type, mediaOf(type)]));
}

/** Named shapes of the document: each stands once under `components/schemas`, and everywhere else as a reference. */
interface Components {
  readonly schemas: Record<string, object>;
  /** The schema with every named one within it, itself included, as a reference. */
  readonly refer: (schema: object) => object;
}

/** Starts a document's collection. @throws Error from `refer` when two shapes have one name. */
function createComponents(): Components {
  const schemas: Record<string, object> = {};
  const refer = (schema: object): object => {
    const resolved = Object.fromEntries(
      Object.entries(schema)
        // The name of a component is its key.
        .filter(([key]) => key !== "title" && !key.startsWith("~"))
        .map(([key, value]) => [key, within(value)]),
    );
    if (!("title" in schema) || typeof schema.title !== "string") return resolved;
    const known = schemas[schema.title];
    if (known && JSON.stringify(known) !== JSON.stringify(resolved))
      throw new Error(`Two shapes of /v1 are named ${schema.title}`);
    schemas[schema.title] = resolved;
    return { $ref: `#/components/schemas/${schema.title}` };
  };
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(within);
    return typeof value === "object" && value !== null ? refer(value) : value;
  };
  return { schemas, refer };
}
