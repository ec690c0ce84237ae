import { brand } from "#schema/brand.ts";
import { type ErrorCode, statusOfErrorCode } from "#schema/error-codes.ts";
import type { Audience } from "#api/platform/graphql/audience.ts";
import { permissions } from "#api/app/permissions.ts";
import { harmRules } from "#api/platform/graphql/harm.ts";
import { getPermission } from "#api/platform/graphql/permissions.ts";
import type { ScopeRule } from "#api/platform/graphql/token-scopes.ts";
import type { OtherResponse, Route, Upload } from "#api/platform/http/define-route.ts";
import {
  capitalize,
  createComponents,
  type Refer,
  toJsonSchema,
  buildErrorResponse,
  descriptionOfErrorCode,
  json,
} from "./openapi-components.ts";
import { buildWebhooks } from "./openapi-webhooks.ts";
import type { FastifyInstance } from "fastify";
import { createCachedText } from "#api/platform/http/cached-text.ts";
import { routes } from "./routes.ts";

const audienceText: Record<Audience, string> = {
  everyone: "No sign-in needed.",
  anySession: "For every signed-in user.",
  signedIn: "For every signed-in user.",
  customer: "For customers (member types 1 and 2).",
  regular: "For regular customers (member type 1).",
  admin: "For admins (member type 3).",
};

/** Description of each group of calls. */
const groups: Readonly<Record<string, string>> = {
  "Signing in": "Get, refresh and revoke access tokens.",
  Accounts: "Register, confirm an email address, and manage a profile.",
  Passwords: "Request a reset link, reset a password, and change a password.",
  Licences:
    "List licences and devices, and deactivate devices. Admins can also create, update and deactivate licences.",
  "Add-in":
    "The protocol of the add-in. Valid requests return 200, even if the licence is refused. `resultCode` and `code` give the result.",
  Trial: "Start a free trial. Each customer can have one.",
  Subscriptions: "Subscribe, change plans, cancel, and update the payment card. Amounts are in cents.",
  Plans: "List the plans on sale with their prices. Admins can also set prices.",
  "Promo codes": "Calculate a price with a promo code. Admins can also manage promo codes.",
  "Tax invoices": "List and download tax invoices and adjustment notes.",
  Users: "List, view, create, update and archive users.",
  Contacts: "Add, update and delete the contacts of a user.",
  Comments: "Read and add staff comments on users.",
  Reports: "Download reports as XLSX or CSV files.",
  "Bulk work": "Upload CSV files of users and licences. Files are checked before anything changes.",
  Software: "Upload builds of the add-in.",
  Contact: "Send a message to the vendor.",
};

/** Builds the OpenAPI 3.1 document of `/v1` from the routes and their rules. @throws Error for a group without a description. */
export function buildOpenApiDocument(routes: readonly Route[]): object {
  const components = createComponents();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const url = route.url.replace(/:(\w+)/g, "{$1}");
    (paths[url] ??= {})[route.method.toLowerCase()] = buildOperation(route, components.refer);
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))].map((name) => {
    if (!groups[name]) throw new Error(`api/v1/openapi.ts has no description of the group ${name}`);
    return { name, description: groups[name] };
  });
  tags.push({ name: "Webhooks", description: "Requests that this service sends to your endpoints." });
  return {
    openapi: "3.1.0",
    info: {
      title: `${brand.name} /v1`,
      version: "1.0.0",
      description:
        "The API of the desktop add-in and the portal. Responses are JSON, except for files. Dates are ISO 8601 in UTC. Amounts are integers in cents.",
    },
    servers: [{ url: "/" }],
    tags,
    paths,
    webhooks: buildWebhooks(components.refer),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "An access token from POST /v1/core/auth/token. It expires after ten minutes.",
        },
        personalAccessToken: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "xpat_…",
          description: "A personal access token with the scopes in `x-scope`.",
        },
      },
      responses: Object.fromEntries(
        Object.entries(statusOfErrorCode).map(([code]) => [
          code,
          buildErrorResponse(code as ErrorCode, components.refer),
        ]),
      ),
      schemas: components.schemas,
    },
  };
}

/** Returns the error codes that a call can return: its own and those derived from its permission, path and body. */
function getErrorCodes(route: Route): ErrorCode[] {
  const { query, url } = route;
  const permission = getPermission(permissions, route.operation);
  return [
    ...new Set<ErrorCode>([
      ...(route.method === "GET"
        ? []
        : (["BAD_USER_INPUT", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const)),
      ...(query ? (["BAD_USER_INPUT"] as const) : []),
      ...(permission.audience === "everyone" ? [] : (["UNAUTHENTICATED"] as const)),
      // Also calls for everyone refuse a personal access token outside its networks.
      "FORBIDDEN",
      // Its description covers FORBIDDEN, which has the same status.
      ...(permission.proof || harmRules[permission.harm ?? "none"].needsProof ? (["STEP_UP_REQUIRED"] as const) : []),
      ...(url.includes("/:") ? (["NOT_FOUND"] as const) : []),
      ...route.errors,
      "RATE_LIMITED",
      "UNAVAILABLE",
      "INTERNAL",
    ]),
  ];
}

function buildOperation(route: Route, refer: Refer): object {
  const { audience, scope = "session" } = getPermission(permissions, route.operation);
  const params = [...route.url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    ...route.params[name ?? ""],
    schema: { type: "string" },
  }));
  const rules = route.query && toJsonSchema(route.query);
  const query = Object.entries(rules?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: rules?.required?.includes(name) ?? false,
    ...route.params[name],
    schema,
  }));
  return {
    operationId: buildOperationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [audienceText[audience], ...(route.deprecated ? [`Deprecated. ${route.deprecated}`] : [])].join(" "),
    ...(route.deprecated ? { deprecated: true } : {}),
    "x-who": audience,
    ...describeSecurity(audience, scope),
    ...(params.length + query.length > 0 ? { parameters: [...params, ...query] } : {}),
    ...(route.upload ? { requestBody: { required: true, content: describeUpload(route, route.upload, refer) } } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: json(refer(toJsonSchema(route.body), nameSchema(route, "Body")), route.bodyExample),
          },
        }
      : {}),
    responses: buildResponses(route, refer),
  };
}

/** Returns a call's security schemes and the scopes that a personal access token needs. */
function describeSecurity(audience: Audience, rule: ScopeRule): object {
  if (audience === "everyone") return { security: [] };
  if (rule === "session") return { security: [{ bearer: [] }] };
  const scopes = rule === "open" ? [] : [rule].flat();
  const security = [{ bearer: [] }, { personalAccessToken: scopes }];
  return scopes.length === 0 ? { security } : { security, "x-scope": scopes.join(" ") };
}

function buildResponses(route: Route, refer: Refer): object {
  const responses: Record<string, object> = {
    [route.status]: {
      description: "Done.",
      ...describeHeaders(route),
      content: route.fileTypes.length
        ? Object.fromEntries(route.fileTypes.map((type) => [type, describeFile(type, route.fileExample)]))
        : json(refer(route.response ?? {}, nameSchema(route, "Response")), route.example),
    },
  };
  const referOther = (schema: object, status: string | number) => refer(schema, nameSchema(route, `Response${status}`));
  for (const [status, { description, schema, example }] of Object.entries(route.otherResponses))
    responses[status] = { description, ...(schema ? { content: json(referOther(schema, status), example) } : {}) };
  for (const code of getErrorCodes(route)) {
    const status = statusOfErrorCode[code];
    const other = route.otherResponses[status];
    responses[status] = other?.schema
      ? buildEitherResponse(code, other, refer, referOther(other.schema, status))
      : { $ref: `#/components/responses/${code}` };
  }
  return responses;
}

/** Describes the headers of a successful response: those of the call, and those that its handler adds. */
function describeHeaders({ headers, responseHeaders }: Route): object {
  const own = Object.entries(headers).map(([name, value]) => [
    name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    { description: `Always \`${value}\`.`, schema: { type: "string" } },
  ]);
  const all = { ...(Object.fromEntries(own) as object), ...responseHeaders };
  return Object.keys(all).length > 0 ? { headers: all } : {};
}

/** Builds the response for a status that a call uses for both a specific response and the usual error. */
function buildEitherResponse(code: ErrorCode, other: OtherResponse, refer: Refer, specific: object): object {
  const usual = buildErrorResponse(code, refer) as {
    content: { "application/json": { schema: object; example: unknown } };
  };
  const { schema, example } = usual.content["application/json"];
  return {
    description: `${other.description}. Or: ${descriptionOfErrorCode[code]}`,
    content: {
      "application/json": {
        schema: { anyOf: [specific, schema] },
        examples: { own: { value: other.example }, usual: { value: example } },
      },
    },
  };
}

/** Describes a file by its media type. Binary files have only their first bytes as an example. */
function describeFile(type: string, csvExample: string | undefined): object {
  const example =
    type === "application/pdf" ? "%PDF-1.7…" : type.startsWith("text/csv") ? csvExample : "PK\u0003\u0004…";
  return { schema: { type: "string", format: "binary" }, example };
}

/** Returns the name for a schema of a call that has none: `PostLicenceActivateBody`. */
const nameSchema = (route: Route, suffix: string) => capitalize(buildOperationId(route)) + suffix;

/** Builds the operation id from the method and the path: `postLicenceActivate`. */
function buildOperationId({ method, url }: Route): string {
  const words = url
    .replace(/^\/v1\//, "")
    .replace(/:(\w+)/g, "by-$1")
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean);
  return method.toLowerCase() + words.map(capitalize).join("");
}

function describeUpload(route: Route, { types, schemas = {}, examples = {} }: Upload, refer: Refer): object {
  const describeType = (type: string) => ({
    ...(schemas[type]
      ? { schema: refer(schemas[type], nameSchema(route, type.includes("json") ? "Body" : "Form")) }
      : {}),
    ...(type in examples ? { example: examples[type] } : {}),
  });
  return Object.fromEntries(types.map((type) => [type, describeType(type)]));
}

/** Media type of OpenAPI documents, sent to clients that accept it. */
const OPENAPI_TYPE = "application/vnd.oai.openapi+json";

/** Serves the OpenAPI document at `/v1/openapi.json`, with the same bytes as `schema/openapi.json`. */
export function serveOpenApi(app: FastifyInstance): void {
  const send = createCachedText(() => `${JSON.stringify(buildOpenApiDocument(routes), null, 2)}\n`);
  app.get("/v1/openapi.json", { compress: false, exposeHeadRoute: true }, (request, reply) => {
    const acceptsOpenApi = request.headers.accept?.includes(OPENAPI_TYPE);
    return send(request, reply, acceptsOpenApi ? `${OPENAPI_TYPE};version=3.1` : "application/json; charset=utf-8");
  });
}
