import { gzipSync } from "node:zlib";
import type { AnyObjectSchema } from "yup";
import type { Route } from "#api/platform/http/define-route.ts";
import { toJsonSchema } from "#api/v1/openapi-components.ts";
import {
  type FieldSchema,
  hostileSegments,
  type HostileValue,
  buildBoundaryValues,
  commonValues,
} from "./hostile-values.ts";

/** A request with one hostile part. */
export interface HostileInput {
  /** Description of the hostile part. */
  readonly name: string;
  /** Path as sent, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** A valid call of an endpoint. */
export interface ValidCall {
  readonly path: string;
  /** A valid body, or undefined if the endpoint takes no JSON. */
  readonly body?: object;
  /** Values of the path parameters. */
  readonly params: Readonly<Record<string, string>>;
}

const json: Record<string, string> = { "content-type": "application/json" };
const marker = "@@hostile@@";

/** Lists the fields of a body or query with their paths, including fields of nested objects and list items. */
const listFields = (
  schema: FieldSchema,
  fieldPath: readonly string[] = [],
): { path: readonly string[]; field: FieldSchema }[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = [...fieldPath, name];
    const inner = field.items?.properties ? listFields(field.items, [...at, "0"]) : listFields(field, at);
    return [{ path: at, field }, ...inner];
  });

/** Returns the body with a field replaced, or removed if the value is undefined. */
function replaceField(body: object, fieldPath: readonly string[], value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  let at = copy;
  for (const name of fieldPath.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
  const last = fieldPath.at(-1) ?? "";
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** Combines every field with every value. */
function buildInvalidFields(rules: AnyObjectSchema, good: ValidCall): HostileInput[] {
  const { path, body = {} } = good;
  const fields = listFields(toJsonSchema(rules) as FieldSchema);
  const columns = fields.map(({ path: fieldPath, field }) => {
    const withValue = ({ name, json: value }: HostileValue): HostileInput => {
      const changed = JSON.stringify(replaceField(body, fieldPath, marker)).replace(`"${marker}"`, () => value);
      return { name: `${fieldPath.join(".")} is ${name}`, path, headers: json, body: changed };
    };
    const without = JSON.stringify(replaceField(body, fieldPath, undefined));
    const missing = { name: `${fieldPath.join(".")} is missing`, path, headers: json, body: without };
    return [missing, ...buildBoundaryValues(field).map(withValue), ...commonValues.map(withValue)];
  });
  return columns.flat();
}

/** Builds bodies that are invalid as a whole, and bytes that contradict their headers. */
function buildInvalidBodies({ path, body = {} }: ValidCall): HostileInput[] {
  const whole = JSON.stringify(body);
  const first = Object.keys(body)[0] ?? "a";
  const sent = (name: string, text: Buffer | string, headers = json) => ({ name, path, headers, body: text });
  const typed = (type: string, text: Buffer | string = whole) =>
    sent(`sent as ${type}`, text, { "content-type": type });
  const wrong = '[]|"text"|1|null|true|{|{\'a\':1}|| |{"a":1e999}|{"a":1}{"b":2}|{"a":1,}|{"a":/**/1}'.split("|");
  const constructors = '"constructor":{"prototype":{"admin":true}},"toString":1,"hasOwnProperty":1';
  const notUtf8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe, 0xc0, 0xaf]), Buffer.from('"}')]);
  const layers = { ...json, "content-encoding": "gzip, deflate, br" };
  return [
    ...wrong.map((text) => sent(`the body is ${JSON.stringify(text)}`, text)),
    sent("a prototype is set", `{"__proto__":{"admin":true},${whole.slice(1)}`),
    sent("a constructor is set", `{${constructors},${whole.slice(1)}`),
    sent("a field is repeated", `{"${first}":{"$ne":null},${whole.slice(1)}`),
    sent("it nests 20,000 deep", `{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
    sent("it has 5,000 fields", `{${Array.from({ length: 5_000 }, (_, n) => `"f${n}":${n}`).join(",")}}`),
    sent("it has unknown fields", JSON.stringify({ ...body, memberType: 3, isAdmin: true, id: "x", $where: "1" })),
    sent("it is a megabyte", JSON.stringify({ ...body, [first]: "x".repeat(1_000_000) })),
    sent("it begins with a byte order mark", `\ufeff${whole}`),
    sent("it is UTF-16", Buffer.from(whole, "utf16le")),
    sent("it has bytes that are not UTF-8", notUtf8),
    sent("it claims to be compressed", whole, { ...json, "content-encoding": "gzip" }),
    sent("it is compressed", gzipSync(whole), { ...json, "content-encoding": "gzip" }),
    sent("it is a compression bomb", gzipSync(Buffer.alloc(5_000_000)), layers),
    typed("application/x-www-form-urlencoded", "a=1&b[]=2&__proto__[x]=1"),
    typed("text/plain"),
    typed("application/xml", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'),
    typed(
      "multipart/form-data; boundary=x",
      `--x\r\ncontent-disposition: form-data; name="a"; filename="../../a"\r\n\r\n1\r\n--x`,
    ),
    typed("text/csv", "Email\n=cmd|' /C calc'!A0\n\u0000,\"\n"),
    typed(`application/json; charset=${"x".repeat(2_000)}`),
  ];
}

const hostileQueries = [
  "%",
  "a=%ff%fe",
  "__proto__[admin]=true&constructor[prototype][admin]=true",
  "a[]=1&a[]=2&a=3",
  `a=${"x".repeat(6_000)}`,
  "q=%0d%0aSet-Cookie:%20x=1",
  "q=%00",
  "access_token=x&t=y",
  Array.from({ length: 1_500 }, (_, n) => `k${n}=1`).join("&"),
];

const hostileHeaders: Record<string, string>[] = [
  { accept: "application/xml;q=0.9, */*;q=NaN" },
  { accept: "x".repeat(4_000) },
  { "x-forwarded-for": "'; drop table users; --, 127.0.0.1" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript" },
  { "x-original-url": "/v1/users/filter", "x-rewrite-url": "/graphql" },
  { "x-request-id": "<script>alert(1)</script>" },
  { "user-agent": `${"\u00ff".repeat(500)}'; drop table users; --` },
  { cookie: "__proto__=1; session=%ff; =; a=b=c" },
  { host: "evil.example:99999" },
  { "idempotency-key": "x".repeat(3_000) },
];

/** Builds paths with invalid parameters, one parameter at a time. */
function buildInvalidPaths(route: Route, { path, params, body }: ValidCall): HostileInput[] {
  const names = Object.keys(params);
  const rest = { headers: body ? json : {}, ...(body ? { body: JSON.stringify(body) } : {}) };
  return names.flatMap((name) =>
    hostileSegments.map((segment) => ({
      name: `:${name} is ${segment.slice(0, 60)}`,
      path: route.url.replace(/:(\w+)/g, (_, one: string) =>
        one === name ? segment : encodeURIComponent(params[one] ?? path),
      ),
      ...rest,
    })),
  );
}

/** Builds queries with hostile values for every field. */
function buildInvalidQueries(rules: AnyObjectSchema, { path }: ValidCall): HostileInput[] {
  const columns = listFields(toJsonSchema(rules) as FieldSchema).map(({ path: [name = ""], field }) =>
    [...buildBoundaryValues(field), ...commonValues].flatMap(({ name: value, json: text }) => {
      const plain = typeof JSON.parse(text) === "string" ? (JSON.parse(text) as string) : text;
      const encoded = encodeURIComponent(plain.toWellFormed().slice(0, 1_500));
      return [
        { name: `?${name} is ${value}`, path: `${path}?${name}=${encoded}`, headers: {} },
        { name: `?${name}[] is ${value}`, path: `${path}?${name}[a]=${encoded}&${name}=1&${name}=2`, headers: {} },
      ];
    }),
  );
  return columns.flat();
}

/** Kinds of hostile inputs that are the same for every endpoint. */
function buildGenericInputs({ path, body }: ValidCall): HostileInput[][] {
  const pathEnds = ["//", "/;a=b", "/%2e%2e/", "/.json", "%00", "%2f", "#"];
  const rest = { headers: body ? json : {}, ...(body ? { body: JSON.stringify(body) } : {}) };
  return [
    hostileQueries.map((query) => ({ name: `the query is ${query.slice(0, 60)}`, ...rest, path: `${path}?${query}` })),
    hostileHeaders.map((headers) => ({
      name: `headers ${JSON.stringify(headers).slice(0, 80)}`,
      ...rest,
      path,
      headers: { ...rest.headers, ...headers },
    })),
    pathEnds.map((end) => ({ name: `the path ends in ${end}`, ...rest, path: path + end })),
    ["[]", "{", '{"a":"\\ud800"}'].map((text) => ({ name: `the body is ${text}`, path, headers: json, body: text })),
  ];
}

/** Builds every hostile input for an endpoint: for its fields, body, query and path, and for any endpoint. */
export const buildHostileInputs = (route: Route, good: ValidCall): HostileInput[] => [
  ...(route.body ? buildInvalidFields(route.body, good) : []),
  ...(route.body || route.upload ? buildInvalidBodies(good) : []),
  ...(route.query ? buildInvalidQueries(route.query, good) : []),
  ...buildInvalidPaths(route, good),
  ...buildGenericInputs(good).flat(),
];
