import { type Changes, type Direction, type Resolve, type Schema, schemaChanges } from "./json-schema-changes.ts";

/** An OpenAPI document, as far as the contract goes. */
export type OpenApi = Readonly<Record<string, unknown>>;

type Operation = Schema;
const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

/**
 * What has changed between two OpenAPI documents for those who keep to the released one (docs/versioning.md). Whatever is
 * only added is no change.
 */
export function openApiChanges(released: OpenApi, present: OpenApi): Changes {
  const found: Changes = { breaking: [], dangerous: [] };
  const resolves = { released: resolverOf(released), present: resolverOf(present) };
  const note = ({ breaking, dangerous }: Changes) => {
    found.breaking.push(...breaking);
    found.dangerous.push(...dangerous);
  };
  const compareSchemas = (one: unknown, other: unknown, at: string, direction: Direction) =>
    note(schemaChanges({ released: one ?? {}, present: other ?? {}, at }, direction, resolves));

  for (const [path, item] of Object.entries(childrenOf(released, "paths")))
    for (const method of methods.filter((one) => one in item)) {
      const at = `${method.toUpperCase()} ${path}`;
      const before = item[method] as Operation;
      const itemNow = childrenOf(present, "paths")[path];
      const now = itemNow?.[method] as Operation | undefined;
      if (!now || !itemNow) {
        found.breaking.push(`${at} is gone`);
        continue;
      }
      compareParameters(
        at,
        parametersOf(item, before, resolves.released),
        parametersOf(itemNow, now, resolves.present),
      );
      compareBodies(at, resolves.released(before.requestBody), resolves.present(now.requestBody));
      compareAnswers(at, before, now);
      compareSecurity(at, before.security ?? released.security, now.security ?? present.security);
    }
  return found;

  function compareParameters(at: string, before: Map<string, Schema>, now: Map<string, Schema>): void {
    for (const [name, parameter] of before) {
      const next = now.get(name);
      if (!next) found.breaking.push(`${at}: the parameter ${name} is gone`);
      else compareSchemas(parameter.schema, next.schema, `${at}: the parameter ${name}`, "request");
    }
    for (const [name, { required }] of now)
      if (required === true && before.get(name)?.required !== true)
        found.breaking.push(`${at}: the parameter ${name} has become required`);
  }

  function compareBodies(at: string, before: Schema, now: Schema): void {
    if (now.required === true && before.required !== true) found.breaking.push(`${at}: a body has become required`);
    const next = childrenOf(now, "content");
    for (const [type, { schema }] of Object.entries(childrenOf(before, "content"))) {
      const other = next[type];
      if (!other) found.breaking.push(`${at} no longer takes ${type}`);
      else compareSchemas(schema, other.schema, `${at}: body`, "request");
    }
  }

  function compareAnswers(at: string, before: Operation, now: Operation): void {
    const next = childrenOf(now, "responses");
    for (const [status, answer] of Object.entries(childrenOf(before, "responses"))) {
      if (!next[status]) {
        found.breaking.push(`${at} no longer answers ${status}`);
        continue;
      }
      const [was, is] = [resolves.released(answer), resolves.present(next[status])];
      const types = childrenOf(is, "content");
      for (const [type, { schema }] of Object.entries(childrenOf(was, "content"))) {
        const other = types[type];
        if (!other) found.breaking.push(`${at} ${status} is no longer ${type}`);
        else compareSchemas(schema, other.schema, `${at} ${status}: answer`, "answer");
      }
      for (const header of Object.keys(childrenOf(was, "headers")))
        if (!(header in childrenOf(is, "headers")))
          found.breaking.push(`${at} ${status}: the header ${header} is gone`);
    }
  }

  /** Whoever was let in must be let in still: a present way that asks for nothing more. */
  function compareSecurity(at: string, before: unknown, now: unknown): void {
    const isLetIn = (was: Way) => waysOf(now).some((is) => [...is].every((each) => was.has(each)));
    if (!waysOf(before).every(isLetIn)) found.breaking.push(`${at} asks for other credentials`);
  }
}

/** Schemes with their scopes, all of which a caller needs. */
type Way = ReadonlySet<string>;

function waysOf(security: unknown): Way[] {
  const ways = (Array.isArray(security) ? security : []) as Record<string, string[]>[];
  if (ways.length === 0) return [new Set()];
  return ways.map(
    (way) =>
      new Set(Object.entries(way).flatMap(([scheme, scopes]) => [scheme, ...scopes.map((one) => `${scheme} ${one}`)])),
  );
}

function parametersOf(item: Schema, operation: Operation, resolve: Resolve): Map<string, Schema> {
  const all = [item.parameters, operation.parameters].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  return new Map(all.map(resolve).map((parameter) => [`${String(parameter.in)} ${String(parameter.name)}`, parameter]));
}

function childrenOf(parent: Schema, name: string): Record<string, Schema> {
  return (parent[name] ?? {}) as Record<string, Schema>;
}

/** Follows `#/…` references of one document. @throws Error for one that leads nowhere, or out of it */
function resolverOf(document: OpenApi): Resolve {
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
