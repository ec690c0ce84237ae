import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Changes, type Direction, type Resolve, type Schema, compareJsonSchemas } from "./compare-json-schemas.ts";
import { buildSchema, findBreakingChanges, findDangerousChanges } from "graphql";

/**
 * A breaking change that was announced as docs/versioning.md requires: the comparison's sentence for it, and the
 * reason. A sentence that starts with `*` is the end of the sentences of several calls.
 */
export interface AgreedBreak {
  readonly sentence: string;
  readonly why: string;
}

/** The last released contract, from `schema/released/contract.json.gz`. */
export interface ReleasedContract {
  readonly openApi: OpenApi;
  readonly graphql: string;
}

/** Compares the current REST and GraphQL contracts with the released ones. */
export function compareContracts(
  root: string,
): Changes & { readonly agreed: readonly AgreedBreak[]; readonly released: ReleasedContract } {
  const read = (file: string) => readFileSync(join(root, "schema", file), "utf8");
  const packed = gunzipSync(readFileSync(join(root, "schema/released/contract.json.gz")));
  const released = JSON.parse(packed.toString()) as ReleasedContract;
  const openApi = compareOpenApi(released.openApi, JSON.parse(read("openapi.json")) as OpenApi);
  const graphql = compareGraphql(released.graphql, read("schema.graphql"));
  const file = join(root, "schema/released/agreed-breaks.json");
  return {
    released,
    breaking: [...openApi.breaking, ...graphql.breaking],
    dangerous: [...openApi.dangerous, ...graphql.dangerous],
    agreed: existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as AgreedBreak[]) : [],
  };
}

/** Returns whether an agreed break covers a breaking change. */
export function isAgreed(change: string, { sentence }: AgreedBreak): boolean {
  return sentence.startsWith("*") ? change.endsWith(sentence.slice(1)) : change === sentence;
}

/** Compares two GraphQL schemas, using graphql-js. */
export function compareGraphql(released: string, present: string): Changes {
  const [before, now] = [buildSchema(released), buildSchema(present)];
  const sentences = (changes: readonly { description: string }[]) =>
    changes.map(({ description }) => `GraphQL: ${description}`);
  return {
    breaking: sentences(findBreakingChanges(before, now)),
    dangerous: sentences(findDangerousChanges(before, now)),
  };
}

type OpenApi = Readonly<Record<string, unknown>>;

type Operation = Schema;
const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

/**
 * Finds changes between two OpenAPI documents that affect clients of the released one (docs/versioning.md). Additions
 * don't count as changes.
 */
export function compareOpenApi(released: OpenApi, present: OpenApi): Changes {
  const found: Changes = { breaking: [], dangerous: [] };
  const resolves = { released: createResolver(released), present: createResolver(present) };
  const add = ({ breaking, dangerous }: Changes) => {
    found.breaking.push(...breaking);
    found.dangerous.push(...dangerous);
  };
  const compareSchemas = (one: unknown, other: unknown, at: string, direction: Direction) =>
    add(compareJsonSchemas({ released: one ?? {}, present: other ?? {}, at }, direction, resolves));

  for (const [path, item] of Object.entries(getChildren(released, "paths")))
    for (const method of methods.filter((one) => one in item)) {
      const at = `${method.toUpperCase()} ${path}`;
      const before = item[method] as Operation;
      const itemNow = getChildren(present, "paths")[path];
      const now = itemNow?.[method] as Operation | undefined;
      if (!now || !itemNow) {
        found.breaking.push(`${at} was removed`);
        continue;
      }
      compareParameters(
        at,
        getParameters(item, before, resolves.released),
        getParameters(itemNow, now, resolves.present),
      );
      compareBodies(at, resolves.released(before.requestBody), resolves.present(now.requestBody));
      compareResponses(at, before, now);
      compareSecurity(at, before.security ?? released.security, now.security ?? present.security);
    }
  const eventsNow = getChildren(present, "webhooks");
  for (const [event, { post }] of Object.entries(getChildren(released, "webhooks"))) {
    const now = eventsNow[event]?.post;
    if (now) compareEvents(`Webhook ${event}`, post as Operation, now as Operation);
    else found.breaking.push(`Webhook ${event} was removed`);
  }
  return found;

  /** A receiver reads the body of an event as a client reads a response. */
  function compareEvents(at: string, before: Operation, now: Operation): void {
    const [was, is] = [resolves.released(before.requestBody), resolves.present(now.requestBody)].map(
      (body) => getChildren(body, "content")["application/json"]?.schema,
    );
    compareSchemas(was, is, at, "response");
  }

  function compareParameters(at: string, before: Map<string, Schema>, now: Map<string, Schema>): void {
    for (const [name, parameter] of before) {
      const next = now.get(name);
      if (!next) found.breaking.push(`${at}: the parameter ${name} was removed`);
      else compareSchemas(parameter.schema, next.schema, `${at}: the parameter ${name}`, "request");
    }
    for (const [name, { required }] of now)
      if (required === true && before.get(name)?.required !== true)
        found.breaking.push(`${at}: the parameter ${name} is now required`);
  }

  function compareBodies(at: string, before: Schema, now: Schema): void {
    if (now.required === true && before.required !== true) found.breaking.push(`${at}: a body is now required`);
    const next = getChildren(now, "content");
    for (const [type, { schema }] of Object.entries(getChildren(before, "content"))) {
      const other = next[type];
      if (!other) found.breaking.push(`${at} no longer accepts ${type}`);
      else compareSchemas(schema, other.schema, `${at}: body`, "request");
    }
  }

  function compareResponses(at: string, before: Operation, now: Operation): void {
    const next = getChildren(now, "responses");
    for (const [status, response] of Object.entries(getChildren(before, "responses"))) {
      if (!next[status]) {
        found.breaking.push(`${at} no longer returns ${status}`);
        continue;
      }
      const [was, is] = [resolves.released(response), resolves.present(next[status])];
      const types = getChildren(is, "content");
      for (const [type, { schema }] of Object.entries(getChildren(was, "content"))) {
        const other = types[type];
        if (!other) found.breaking.push(`${at} ${status} is no longer ${type}`);
        else compareSchemas(schema, other.schema, `${at} ${status}: response`, "response");
      }
      for (const header of Object.keys(getChildren(was, "headers")))
        if (!(header in getChildren(is, "headers")))
          found.breaking.push(`${at} ${status}: the header ${header} was removed`);
    }
  }

  /** Checks that credentials accepted before are still accepted. */
  function compareSecurity(at: string, before: unknown, now: unknown): void {
    const isStillAccepted = (was: Credentials) =>
      getCredentials(now).some((is) => [...is].every((each) => was.has(each)));
    if (!getCredentials(before).every(isStillAccepted)) found.breaking.push(`${at} requires other credentials`);
  }
}

/** Security schemes with their scopes that a client needs at the same time. */
type Credentials = ReadonlySet<string>;

function getCredentials(security: unknown): Credentials[] {
  const ways = (Array.isArray(security) ? security : []) as Record<string, string[]>[];
  if (ways.length === 0) return [new Set()];
  return ways.map(
    (way) =>
      new Set(Object.entries(way).flatMap(([scheme, scopes]) => [scheme, ...scopes.map((one) => `${scheme} ${one}`)])),
  );
}

function getParameters(item: Schema, operation: Operation, resolve: Resolve): Map<string, Schema> {
  const all = [item.parameters, operation.parameters].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  return new Map(all.map(resolve).map((parameter) => [`${String(parameter.in)} ${String(parameter.name)}`, parameter]));
}

function getChildren(parent: Schema, name: string): Record<string, Schema> {
  return (parent[name] ?? {}) as Record<string, Schema>;
}

/**
 * Returns a function that resolves `#/…` references within a document.
 * @throws Error for a missing or external reference
 */
function createResolver(document: OpenApi): Resolve {
  const resolve: Resolve = (schema) => {
    if (typeof schema !== "object" || schema === null) return schema === false ? { not: {} } : {};
    const { $ref } = schema as { $ref?: unknown };
    if (typeof $ref !== "string") return schema as Schema;
    const found = $ref
      .replace(/^#\//, "")
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>((place, part) => (place as Record<string, unknown> | undefined)?.[part], document);
    if (!$ref.startsWith("#/") || found === undefined) throw new Error(`${$ref} is not in the document.`);
    return resolve(found);
  };
  return resolve;
}
