import { convertSchema } from "@sodaru/yup-to-json-schema";
import { brand } from "#schema/brand.ts";
import type { Audience } from "#api/platform/audience.ts";
import type { Route, Upload } from "./frame.ts";

const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });
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

/** OpenAPI 3.1 of `/v1`, from the same routes and rules that serve it. */
export function openApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const url = route.url.replace(/:(\w+)/g, "{$1}");
    (paths[url] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: `${brand.name} /v1`,
      version: "1.0.0",
      description: "The calls of the desktop add-in and the portal's documented calls. Answers are always JSON.",
    },
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      responses: {
        Invalid: {
          description: "Fields that are missing or not valid, each with its sentences.",
          content: json(
            { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
            { email: ["Email is required."] },
          ),
        },
        Missing: { description: "Unknown, foreign or malformed id.", content: json({ type: "string" }) },
        Refused: {
          description: "Not signed in (401), not allowed (403), too many requests (429) or temporarily away (503).",
          content: json({
            type: "object",
            properties: { Message: { type: "string" }, requestId: { type: "string" } },
            required: ["Message", "requestId"],
          }),
        },
      },
    },
  };
}

function operationOf(route: Route): object {
  const params = [...route.url.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const query = Object.entries(route.query ? (convertSchema(route.query).properties ?? {}) : {}).map(
    ([name, schema]) => ({ name, in: "query", required: isRequired(route, name), schema }),
  );
  return {
    tags: [route.tag],
    summary: route.summary,
    description: [audienceText[route.allow], ...(route.deprecated ? [`Deprecated. ${route.deprecated}`] : [])].join(
      " ",
    ),
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(route.allow === "everyone" ? {} : { security: [{ bearer: [] }] }),
    ...(params.length + query.length > 0 ? { parameters: [...params, ...query] } : {}),
    ...(route.upload ? { requestBody: { required: true, content: contentOf(route.upload) } } : {}),
    ...(route.body ? { requestBody: { required: true, content: json(convertSchema(route.body)) } } : {}),
    responses: {
      [route.status]: {
        description: "Done.",
        content: route.fileType ? { [route.fileType]: {} } : json({}, route.answer),
      },
      ...(route.body || route.query || route.upload ? { 400: ref("Invalid") } : {}),
      ...(params.length > 0 ? { 404: ref("Missing") } : {}),
      default: ref("Refused"),
    },
  };
}

function contentOf({ types, schemas }: Upload): object {
  return Object.fromEntries(types.map((type) => [type, schemas?.[type] ? { schema: schemas[type] } : {}]));
}

function isRequired({ query }: Route, name: string): boolean {
  const field = query?.describe().fields[name];
  return field !== undefined && "optional" in field && !field.optional;
}
