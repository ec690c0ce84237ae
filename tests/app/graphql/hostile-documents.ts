import { createHash } from "node:crypto";

/** A request to `/graphql`, by default a POST with a JSON body. */
export interface HostileRequest {
  readonly body?: string | Uint8Array;
  readonly method?: string;
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const post = (operation: object): HostileRequest => ({ body: JSON.stringify(operation) });
/** Creates a request with a document and its variables. */
export const createQuery = (text: string, variables?: unknown): HostileRequest =>
  post({ query: text, ...(variables === undefined ? {} : { variables }) });
const times = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join(" ");
const nested = (levels: number, open: string, inside: string, close = "}") =>
  open.repeat(levels) + inside + close.repeat(levels);
const users = "query Q($first: Int!) { users(first: $first) { total } }";
const plain = { "content-type": "text/plain" };
const gzipped = { "content-encoding": "gzip", "content-type": "application/json" };
const preflight = { "apollo-require-preflight": "1" };
const multipart = (boundary: string) => ({ "content-type": `multipart/form-data${boundary}`, ...preflight });
const get = (search: string): HostileRequest => ({ method: "GET", search, headers: preflight });
const getMe = get(`?query=${encodeURIComponent("{ me { id } }")}`);
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const persisted = (persistedQuery: unknown, more: object = {}) => post({ ...more, extensions: { persistedQuery } });

/** Hostile requests by category and description. The tests send them as an admin, who passes most other checks. */
export const hostileRequests: Readonly<Record<string, Readonly<Record<string, HostileRequest>>>> = {
  "deep documents": {
    "brackets 20,000 deep": createQuery(nested(20_000, "{a", "")),
    "fields 9 deep": createQuery(
      `{ users(filter: {}) { rows ${nested(3, "{ licences { owner ", "{ licences { id } }", "} }")} } }`,
    ),
    "circular relations": createQuery(`{ me ${nested(40, "{ licences { owner ", "{ id }", "} }")} }`),
    "a list value 5,000 deep": createQuery(`{ users(filter: ${nested(5_000, "[", "", "]")}) { total } }`),
    "an object value 2,000 deep": createQuery(`{ users(filter: ${nested(2_000, "{a:", "1")}) { total } }`),
    "a variable value 20,000 deep": {
      body: `{"query":${JSON.stringify(users)},"variables":{"filter":${nested(20_000, '{"a":', "1")}}}`,
    },
    "circular introspection": createQuery(
      `{ __schema { types { ${nested(12, "fields { type { ", "name", "} }")} } } }`,
    ),
    "30 circular introspections": createQuery(
      `{ __schema { ${times(30, (n) => `t${n}: types { fields { type { fields { name } } } }`)} } }`,
    ),
  },
  "wide documents": {
    "45,000 brackets": createQuery("{".repeat(45_000)),
    "60,000 commas and names": createQuery(`{ me { ${"id,".repeat(30_000)} } }`),
    "1,000 aliases": createQuery(`{ ${times(1_000, (n) => `a${n}: me { id }`)} }`),
    "20 aliases in fragments": createQuery(
      `{ me { ...A ...B } } ${["A", "B"].map((name) => `fragment ${name} on User { ${times(10, (n) => `${name}${n}: id`)} }`).join(" ")}`,
    ),
    "30 directives on one field": createQuery(`{ me { id ${"@include(if: true) ".repeat(30)} } }`),
    "21 directives across fields": createQuery(`{ me { ${times(21, () => "id @skip(if: false)")} } }`),
    "rows of many bulk runs": createQuery(
      "{ bulkRuns(first: 100) { rows { rows(first: 50) { rows { label faults { message } } } } } }",
    ),
    "many rows of a few bulk runs": createQuery(
      `{ bulkRuns(first: 3) { rows { ${times(14, (n) => `a${n}: rows(first: 100) { rows { label faults { message } } }`)} } } }`,
    ),
    "a query too expensive to run": createQuery(
      "{ users(first: 100) { rows { licences { owner { licences { id devices { id machineName } leases { id } events(first: 10) { endCursor } } } } } } }",
    ),
  },
  fragments: {
    "a fragment that spreads itself": createQuery("{ me { ...A } } fragment A on User { ...A }"),
    "2^24 nested spreads": createQuery(
      `{ me { ...F0 } } ${times(24, (n) => `fragment F${n} on User { ...F${n + 1} ...F${n + 1} }`)} fragment F24 on User { id licences { owner { id } } }`,
    ),
    "10^20 nested spreads with aliases": createQuery(
      `{ me { ...F0 } } ${times(20, (n) => `fragment F${n} on User { ${times(10, () => `...F${n + 1}`)} }`)} fragment F20 on User { ${times(20, (n) => `a${n}: id`)} }`,
    ),
    "nested spreads through a relation": createQuery(
      `{ me { ...F0 } } ${times(12, (n) => `fragment F${n} on User { a: licences { owner { ...F${n + 1} } } b: licences { owner { ...F${n + 1} } } }`)} fragment F12 on User { id }`,
    ),
  },
  "texts and names": {
    "a comment of 200 kB": createQuery(`#${"x".repeat(200_000)}\n{ me { id } }`),
    "a name of 80 kB": createQuery(`{ ${"n".repeat(80_000)} }`),
    "a string of 80 kB": createQuery(`{ licence(id: "${"x".repeat(80_000)}", no: 1) { id } }`),
    "a number of 50,000 digits": createQuery(`{ users(first: ${"9".repeat(50_000)}) { total } }`),
    "a NUL byte in a string": createQuery('{ licence(id: "a\\u0000b", no: 1) { id } }'),
    "a lone surrogate in a block string": { body: '{"query":"{ licence(id: \\"\\"\\"\\ud800\\"\\"\\") { id } }"}' },
    "SQL in a name": createQuery("query Q { users'; drop table users; -- }"),
    "an empty document": createQuery(""),
  },
  "unknown schema elements": {
    "a column that is not in the schema": createQuery("{ me { passwordHash } }"),
    "a misspelt type": createQuery("query Q($f: UserFiltre!) { users(filter: $f) { total } }"),
    "a misspelt enum value": createQuery("{ users(order: { by: LAST_NAEM }) { total } }"),
    __proto__: createQuery("{ __proto__ { constructor } }"),
    constructor: createQuery("{ me { constructor toString hasOwnProperty } }"),
    "a subscription": createQuery("subscription { users { total } }"),
    "directives of incremental delivery": createQuery("query Q @defer { me { id @stream } }"),
  },
  variables: {
    "missing variables": createQuery(users),
    "a list for an input object": createQuery(users, { filter: [] }),
    "40,000 list items": createQuery("query Q($f: [Int!]!) { users(filter: { userTypes: $f, no: 1 }) { total } }", {
      f: Array(40_000).fill(1),
    }),
    "a number out of range": createQuery(users, { first: 2 ** 53 }),
    "a list above 100": createQuery(users, { first: 1_000_000 }),
    "a negative offset": createQuery("{ users(offset: -1) { total } }"),
    "unknown input fields": createQuery(users, { filter: { $where: "1" } }),
    "an object for an id": createQuery("query Q($id: ID!) { licence(id: $id) { id } }", { id: { $ne: null } }),
    "a string as variables": post({ query: users, variables: '{"filter":{}}' }),
    "a list as variables": post({ query: users, variables: [1] }),
    "a variable named __proto__": {
      body: `{"query":${JSON.stringify(users)},"variables":{"__proto__":{"filter":{}}}}`,
    },
    "a variable named constructor": {
      body: `{"query":${JSON.stringify(users)},"variables":{"constructor":{"prototype":{"x":1}}}}`,
    },
    "a NUL byte in a variable": createQuery(users, { filter: { search: "a\u0000b" } }),
    "a lone surrogate in a variable": {
      body: `{"query":${JSON.stringify(users)},"variables":{"filter":{"search":"\\ud800"}}}`,
    },
  },
  operations: {
    "a number as the operation name": post({ query: "query A { me { id } }", operationName: 1 }),
    "__proto__ as the operation name": post({ query: "query A { me { id } }", operationName: "__proto__" }),
    "two mutations": createQuery("mutation { signOut { id } a: signOut { id } }"),
    "a mutation by GET": get(`?query=${encodeURIComponent("mutation { signOut { id } }")}`),
    "a GET query without the preflight header": { ...getMe, headers: plain },
    "malformed variables in the URL": get("?query={me{id}}&variables={"),
  },
  "operation hashes": {
    "the hash of an unknown operation": persisted({ version: 1, sha256Hash: hash("{ me { id } }") }),
    "a hash that doesn't match the query": persisted({ version: 1, sha256Hash: hash("x") }, { query: "{ me { id } }" }),
    "an object as the hash": persisted({ version: 1, sha256Hash: { $ne: null } }, {}),
    "a hash of 80 kB": persisted({ version: 1, sha256Hash: "a".repeat(80_000) }),
    "__proto__ as the hash": persisted({ version: 1, sha256Hash: "__proto__" }),
    "a string as extensions": post({ query: "{ me { id } }", extensions: "persistedQuery" }),
    "an unknown hash by GET": get(
      `?extensions=${encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash("x") } }))}`,
    ),
  },
  bodies: {
    "a batch": { body: '[{"query":"{ me { id } }"},{"query":"{ me { id } }"}]' },
    "a batch of 3,000": { body: JSON.stringify(Array(3_000).fill({ query: "{ me { id } }" })) },
    "a null body": { body: "null" },
    "an empty body": { body: "" },
    "a body that is not JSON": { body: "{query:{me{id}}}" },
    "a number as the query": post({ query: 1 }),
    "a parsed document as the query": post({ query: { kind: "Document", definitions: [] } }),
    "a query in __proto__": { body: '{"__proto__":{"query":"{ me { id } }"}}' },
    "bytes that are not UTF-8": { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) },
    "UTF-16": { body: Buffer.from('{"query":"{ me { id } }"}', "utf16le") },
    "a body of 300 kB": post({ query: "{ me { id } }", variables: { a: "x".repeat(300_000) } }),
    "text/plain": { ...createQuery("{ me { id } }"), headers: { "content-type": "text/plain" } },
    "application/graphql": { body: "{ me { id } }", headers: { "content-type": "application/graphql" } },
    "a request without a content type": { ...createQuery("{ me { id } }"), headers: { "content-type": "" } },
    "an empty multipart body": { body: "--b--\r\n", headers: multipart("; boundary=b") },
    "a multipart body without a boundary": { body: "x", headers: multipart("") },
    "a body that is not gzip as declared": { ...createQuery("{ me { id } }"), headers: gzipped },
    "an unsupported Accept header": { ...createQuery("{ me { nothing } }"), headers: { accept: "image/png" } },
  },
};
