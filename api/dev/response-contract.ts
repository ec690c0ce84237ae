import { Ajv2020, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { buildOpenApiDocument } from "#api/v1/openapi.ts";
import { routes } from "#api/v1/routes.ts";

interface Documented {
  readonly paths: Record<string, Record<string, DocumentedCall>>;
  readonly components: { responses: Record<string, DocumentedAnswer>; schemas: Record<string, object> };
}
interface DocumentedCall {
  readonly requestBody?: { content: Record<string, { schema?: object }> };
  readonly responses: Record<string, DocumentedAnswer | { $ref: string }>;
}
interface DocumentedAnswer {
  readonly content?: Record<string, { schema?: object }>;
}

/** Holds what passes over `/v1` against its own document. */
export interface Contract {
  /** What is wrong with an answer; undefined when it is as documented, or no call of `/v1`. */
  findResponseError(
    method: string,
    url: string,
    answer: { status: number; type: string; text: string },
  ): string | undefined;
  /** What is wrong with a JSON body that was taken. */
  findBodyError(method: string, url: string, body: unknown): string | undefined;
}

let known: Contract | undefined;

/** The contract of this process's routes, made once. */
export function getRouteContract(): Contract {
  return (known ??= createContract(buildOpenApiDocument(routes) as Documented));
}

/** A contract from an OpenAPI document, whose addresses are those of the routes. */
export function createContract(document: Documented): Contract {
  const answers = createAjv({});
  // Numbers as text and null for nothing are taken without being promised.
  const bodies = createAjv({ coerceTypes: true });
  answers.addSchema({ $id: "document", components: closed(document.components) });
  const compiled = new Map<string, ValidateFunction>();
  const findFault = (ajv: Ajv2020, key: string, schema: object, value: unknown): string | undefined => {
    let validate = compiled.get(key);
    if (!validate) compiled.set(key, (validate = ajv.compile(absolute(schema))));
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: "it" });
  };
  const findCall = (method: string, url: string) =>
    document.paths[url.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  return {
    findResponseError(method, url, { status, type, text }) {
      const call = findCall(method, url);
      if (!call) return undefined;
      const named = call.responses[status];
      if (!named) return `status ${status} is not documented`;
      const answer = "$ref" in named ? document.components.responses[named.$ref.split("/").at(-1) ?? ""] : named;
      const content = answer?.content;
      if (!content) return text === "" ? undefined : "no body is documented";
      if (!content["application/json"]) return undefined;
      if (!type.startsWith("application/json")) return `it is ${type}`;
      return findFault(
        answers,
        `${method} ${url} ${status}`,
        closed(content["application/json"].schema ?? {}),
        JSON.parse(text),
      );
    },
    findBodyError(method, url, body) {
      const schema = findCall(method, url)?.requestBody?.content["application/json"]?.schema;
      return schema && findFault(bodies, `${method} ${url}`, schema, structuredClone(body));
    },
  };
}

function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...options });
  addFormats.default(ajv);
  return ajv;
}

/** The header of an answer that is not as documented: what is wrong with it. Tests fail that meet it. */
export const UNDOCUMENTED_HEADER = "x-undocumented";

/**
 * Holds every answer of `/v1` against `schema/openapi.json`, outside production: one that differs goes out as it is, with
 * a header that says what is wrong and an error in the log.
 */
export function checkResponses(app: FastifyInstance): void {
  app.addHook("onSend", async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const url = request.routeOptions.url;
    if (!url?.startsWith("/v1/")) return payload;
    // A file that is streamed has no text to look at.
    const text = payload === undefined || payload === null ? "" : payload;
    if (typeof text !== "string") return payload;
    const type = String(reply.getHeader("content-type") ?? "");
    const fault = getRouteContract().findResponseError(request.method, url, { status: reply.statusCode, type, text });
    if (!fault) return payload;
    request.log.error(
      { requestId: request.id },
      `${request.method} ${url} ${reply.statusCode}, not as documented: ${fault}`,
    );
    reply.header(UNDOCUMENTED_HEADER, `${reply.statusCode}: ${fault}`.replace(/[^ -~]/g, "?").slice(0, 500));
    return payload;
  });
}

/** An answer may carry nothing that is not documented; who reads it must bear more. */
function closed<Value>(schema: Value): Value {
  if (Array.isArray(schema)) return schema.map(closed) as Value;
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isShape = "type" in inner && inner.type === "object" && "properties" in inner;
  return (isShape && !("additionalProperties" in inner) ? { ...inner, additionalProperties: false } : inner) as Value;
}

/** References as ajv finds them from outside the document. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object;
}
