import { Ajv2020, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { buildOpenApiDocument } from "#api/v1/openapi.ts";
import { routes } from "#api/v1/routes.ts";

interface ApiDocument {
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
  readonly components: { responses: Record<string, DocumentedResponse>; schemas: Record<string, object> };
}
interface DocumentedOperation {
  readonly requestBody?: { content: Record<string, { schema?: object }> };
  readonly responses: Record<string, DocumentedResponse | { $ref: string }>;
}
interface DocumentedResponse {
  readonly content?: Record<string, { schema?: object }>;
}

/** Compares requests and responses of `/v1` with its OpenAPI document. */
export interface Contract {
  /** Returns how a response differs from the document; undefined if it matches or the route isn't part of `/v1`. */
  findResponseError(
    method: string,
    url: string,
    response: { status: number; type: string; text: string },
  ): string | undefined;
  /** Returns how an accepted JSON body differs from the document; undefined if it matches. */
  findBodyError(method: string, url: string, body: unknown): string | undefined;
}

let routeContract: Contract | undefined;

/** Returns the contract of this process's routes and keeps it for later calls. */
export function getRouteContract(): Contract {
  return (routeContract ??= createContract(buildOpenApiDocument(routes) as ApiDocument));
}

/** Creates a contract from an OpenAPI document that lists the paths of the routes. */
function createContract(document: ApiDocument): Contract {
  const responseAjv = createAjv({});
  // The API also accepts numbers sent as text, and null for missing values, although the document doesn't say so.
  const bodyAjv = createAjv({ coerceTypes: true });
  bodyAjv.addSchema({ $id: "document", components: document.components });
  responseAjv.addSchema({ $id: "document", components: forbidUnknownFields(document.components) });
  const compiled = new Map<string, ValidateFunction>();
  /** @param build builds the schema when the key is first used, because that takes longer than a small response */
  const findFault = (ajv: Ajv2020, key: string, build: () => object, value: unknown): string | undefined => {
    let validate = compiled.get(key);
    if (!validate) compiled.set(key, (validate = ajv.compile(toExternalReferences(build()))));
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: "it" });
  };
  const findOperation = (method: string, url: string) =>
    document.paths[url.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  return {
    findResponseError(method, url, { status, type, text }) {
      const operation = findOperation(method, url);
      if (!operation) return undefined;
      const documented = operation.responses[status];
      if (!documented) return `status ${status} is not documented`;
      const response =
        "$ref" in documented ? document.components.responses[documented.$ref.split("/").at(-1) ?? ""] : documented;
      const content = response?.content;
      if (!content) return text === "" ? undefined : "no body is documented";
      if (!content["application/json"]) return undefined;
      if (!type.startsWith("application/json")) return `the content type is ${type}`;
      return findFault(
        responseAjv,
        `${method} ${url} ${status}`,
        () => forbidUnknownFields(content["application/json"]?.schema ?? {}),
        JSON.parse(text),
      );
    },
    findBodyError(method, url, body) {
      const schema = findOperation(method, url)?.requestBody?.content["application/json"]?.schema;
      return schema && findFault(bodyAjv, `${method} ${url}`, () => schema, structuredClone(body));
    },
  };
}

function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...options });
  addFormats.default(ajv);
  return ajv;
}

/** Header that describes how a response differs from its documentation. Tests that receive it fail. */
export const UNDOCUMENTED_HEADER = "x-undocumented";

/**
 * Compares every response of `/v1` with `schema/openapi.json`, outside production. A response that differs is still
 * sent, with the header {@link UNDOCUMENTED_HEADER}, and the difference is logged as an error.
 */
export function checkResponses(app: FastifyInstance): void {
  app.addHook("onSend", async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const url = request.routeOptions.url;
    if (!url?.startsWith("/v1/")) return payload;
    // Streamed files aren't compared.
    const text = payload === undefined || payload === null ? "" : payload;
    if (typeof text !== "string") return payload;
    const type = String(reply.getHeader("content-type") ?? "");
    const fault = getRouteContract().findResponseError(request.method, url, { status: reply.statusCode, type, text });
    if (!fault) return payload;
    request.log.error(
      { requestId: request.id },
      `${request.method} ${url} ${reply.statusCode} differs from its documentation: ${fault}`,
    );
    reply.header(UNDOCUMENTED_HEADER, `${reply.statusCode}: ${fault}`.replace(/[^ -~]/g, "?").slice(0, 500));
    return payload;
  });
}

/**
 * Adds `additionalProperties: false` to every object schema, so that undocumented fields are reported. The published
 * document allows them, because clients must accept new fields.
 */
function forbidUnknownFields<Value>(schema: Value): Value {
  if (Array.isArray(schema)) return schema.map(forbidUnknownFields) as Value;
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, forbidUnknownFields(value)]));
  const isObjectSchema = "type" in copy && copy.type === "object" && "properties" in copy;
  return (
    isObjectSchema && !("additionalProperties" in copy) ? { ...copy, additionalProperties: false } : copy
  ) as Value;
}

/** Rewrites references within the document so that ajv resolves them from outside it. */
function toExternalReferences(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as object;
}
