import { createHash } from "node:crypto";

/** One request to `/graphql`; POST and JSON unless it says otherwise. */
export interface Attack {
  readonly body?: string | Uint8Array;
  readonly method?: string;
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const post = (operation: object): Attack => ({ body: JSON.stringify(operation) });
/** A document with its variables, as a request. */
export const query = (text: string, variables?: unknown): Attack =>
  post({ query: text, ...(variables === undefined ? {} : { variables }) });
const times = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join(" ");
const nested = (levels: number, open: string, inside: string, close = "}") =>
  open.repeat(levels) + inside + close.repeat(levels);
const users = "query Q($filter: UserFilter!) { users(filter: $filter) { total } }";
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const persisted = (persistedQuery: unknown, more: object = {}) => post({ ...more, extensions: { persistedQuery } });

/** By what each is; all are refused whoever asks, so an admin asks, before whom the fewest doors are closed. */
export const attacks: Readonly<Record<string, Readonly<Record<string, Attack>>>> = {
  "deep documents": {
    "brackets 500 deep": query(nested(500, "{a", "")),
    "brackets 20,000 deep": query(nested(20_000, "{a", "")),
    "fields 9 deep": query(
      `{ users(filter: {}) { rows ${nested(3, "{ licences { owner ", "{ licences { id } }", "} }")} } }`,
    ),
    "a circle of relations": query(`{ me ${nested(40, "{ licences { owner ", "{ id }", "} }")} }`),
    "a list value 5,000 deep": query(`{ users(filter: ${nested(5_000, "[", "", "]")}) { total } }`),
    "an object value 2,000 deep": query(`{ users(filter: ${nested(2_000, "{a:", "1")}) { total } }`),
    "a list type 900 deep": query(`query Q($a: ${nested(900, "[", "ID", "]")}) { me { id } }`),
    "inline fragments 400 deep": query(`{ me ${nested(400, "{ ... on User ", "{ id }")} }`),
    "variables 20,000 deep": {
      body: `{"query":${JSON.stringify(users)},"variables":{"filter":${nested(20_000, '{"a":', "1")}}}`,
    },
    "introspection in circles": query(`{ __schema { types { ${nested(12, "fields { type { ", "name", "} }")} } } }`),
    "introspection in circles of inputs": query(
      `{ __schema { types { ${nested(5, "inputFields { type { ", "name", "} }")} } } }`,
    ),
    "introspection in circles, 30 at once": query(
      `{ __schema { ${times(30, (n) => `t${n}: types { fields { type { fields { name } } } }`)} } }`,
    ),
  },
  "wide documents": {
    "2,000 fields": query(`{ me { ${"id ".repeat(2_000)} } }`),
    "45,000 brackets": query("{".repeat(45_000)),
    "60,000 commas and names": query(`{ me { ${"id,".repeat(30_000)} } }`),
    "1,000 aliases": query(`{ ${times(1_000, (n) => `a${n}: me { id }`)} }`),
    "16 aliases": query(`{ ${times(16, (n) => `a${n}: me { id }`)} }`),
    "20 aliases in fragments": query(
      `{ me { ...A ...B } } ${["A", "B"].map((name) => `fragment ${name} on User { ${times(10, (n) => `${name}${n}: id`)} }`).join(" ")}`,
    ),
    "30 directives on one field": query(`{ me { id ${"@include(if: true) ".repeat(30)} } }`),
    "300 unknown directives": query(`{ me { id ${times(300, (n) => `@d${n}`)} } }`),
    "21 directives spread over fields": query(`{ me { ${times(21, () => "id @skip(if: false)")} } }`),
    "300 variables": query(`query Q(${times(300, (n) => `$v${n}: ID`)}) { me { id } }`),
    "240 variables of one name": query(`query Q(${times(240, () => "$v: ID")}) { me { id } }`),
    "200 arguments of one name": query(`{ licence(${times(200, () => 'id: "x"')}) { id } }`),
    "input fields of one name": query("{ users(filter: { limit: 1 limit: 2 limit: 3 }) { total } }"),
    "3 signatures of one response name": query(
      "{ users(filter: { limit: 1 }) { total } users(filter: { limit: 2 }) { total } }",
    ),
    "150 operations": query(times(150, (n) => `query Q${n} { me { id } }`)),
    "a cost of thousands": query(
      "{ users(filter: { limit: 100 }) { rows { licences { owner { licences { id devices { id machineName } leases { id } events(first: 10) { endCursor } } } } } } }",
    ),
  },
  fragments: {
    "a cycle of one": query("{ me { ...A } } fragment A on User { ...A }"),
    "a cycle of three": query(
      "{ me { ...A } } fragment A on User { ...B } fragment B on User { ...C } fragment C on User { ...A }",
    ),
    "a bomb of 2^24 spreads": query(
      `{ me { ...F0 } } ${times(24, (n) => `fragment F${n} on User { ...F${n + 1} ...F${n + 1} }`)} fragment F24 on User { id licences { owner { id } } }`,
    ),
    "a bomb of 10^20 spreads with aliases": query(
      `{ me { ...F0 } } ${times(20, (n) => `fragment F${n} on User { ${times(10, () => `...F${n + 1}`)} }`)} fragment F20 on User { ${times(20, (n) => `a${n}: id`)} }`,
    ),
    "a bomb through a relation": query(
      `{ me { ...F0 } } ${times(12, (n) => `fragment F${n} on User { a: licences { owner { ...F${n + 1} } } b: licences { owner { ...F${n + 1} } } }`)} fragment F12 on User { id }`,
    ),
    "200 that conflict": query(
      `{ me { ${times(110, (n) => `...C${n}`)} } } ${times(110, (n) => `fragment C${n} on User { x: ${n % 2 ? "id" : "email"} }`)}`,
    ),
    "one that nobody uses": query("{ me { id } } fragment Unused on User { id }"),
    "one that is not there": query("{ me { ...Missing } }"),
    "two of one name": query("{ me { ...A } } fragment A on User { id } fragment A on User { email }"),
    "one on a type of values": query("{ me { ...A } } fragment A on String { id }"),
  },
  "texts and names": {
    "a comment of 90 kB": query(`#${"x".repeat(90_000)}\n{ nothing }`),
    "a comment of 200 kB": query(`#${"x".repeat(200_000)}\n{ me { id } }`),
    "80 kB of blanks": query(`${" ".repeat(80_000)}{ nothing }`),
    "a name of 80 kB": query(`{ ${"n".repeat(80_000)} }`),
    "an alias of 80 kB": query(`{ ${"n".repeat(80_000)}: nothing }`),
    "a string of 80 kB": query(`{ licence(id: "${"x".repeat(80_000)}", no: 1) { id } }`),
    "a block string of 80 kB": query(`{ licence(id: """${"\n x".repeat(20_000)}""", no: 1) { id } }`),
    "a number of 50,000 digits": query(`{ users(filter: { limit: ${"9".repeat(50_000)} }) { total } }`),
    "a number with a great exponent": query("{ users(filter: { limit: 1e999999999 }) { total } }"),
    "a string that does not end": query('{ licence(id: "x) { id } }'),
    "a NUL byte": query("{ me\u0000 { id } }"),
    "a NUL byte in a string": query('{ licence(id: "a\\u0000b", no: 1) { id } }'),
    "half a surrogate": query('{ licence(id: "\\uD800") { id } }'),
    "half a surrogate in a block string": { body: '{"query":"{ licence(id: \\"\\"\\"\\ud800\\"\\"\\") { id } }"}' },
    "letters from right to left": query("{ \u202eme { id } }"),
    "names in other letters": query("{ mе { id } }"),
    "an emoji for a field": query("{ 🙂 }"),
    "control characters": query("{ me { \u0007id } }"),
    SQL: query("select * from users; --"),
    "SQL in a name": query("query Q { users'; drop table users; -- }"),
    "a script": query("<script>alert(1)</script>"),
    nothing: query(""),
    "nothing but a comment": query("# nothing"),
  },
  "what the schema has not": {
    "a field of the table": query("{ me { passwordHash } }"),
    "a field nearly of the schema": query("{ me { emial } }"),
    "an argument nearly of the schema": query("{ users(fliter: {}) { total } }"),
    "a type nearly of the schema": query("query Q($f: UserFiltre!) { users(filter: $f) { total } }"),
    "a value nearly of the schema": query("{ users(filter: { sortBy: LAST_NAEM }) { total } }"),
    "an input field nearly of the schema": query("{ users(filter: { serach: 1 }) { total } }"),
    __proto__: query("{ __proto__ { constructor } }"),
    constructor: query("{ me { constructor toString hasOwnProperty } }"),
    "an object without fields": query("{ me }"),
    "fields of a value": query("{ me { id { id } } }"),
    "a subscription": query("subscription { users { total } }"),
    "a type definition": query("type Evil { id: ID }"),
    "an extension of the schema": query("extend schema { query: Evil }"),
    "the executor's own directive": query("query Q @defer { me { id @stream } }"),
  },
  variables: {
    "that are missing": query(users),
    "that are null": query(users, { filter: null }),
    "of another type": query(users, { filter: "x" }),
    "a list for an object": query(users, { filter: [] }),
    "100,000 of them in a list": query("query Q($f: [Int!]!) { users(filter: { userTypes: $f, no: 1 }) { total } }", {
      f: Array(40_000).fill(1),
    }),
    "a text for a number": query(users, { filter: { limit: "1" } }),
    "a number out of bounds": query(users, { filter: { limit: 2 ** 53 } }),
    "a fraction": query(users, { filter: { limit: 1.5 } }),
    "a list above 100": query(users, { filter: { limit: 1_000_000 } }),
    "unknown fields": query(users, { filter: { $where: "1" } }),
    "an object for an id": query("query Q($id: ID!) { licence(id: $id) { id } }", { id: { $ne: null } }),
    "a text instead of them": post({ query: users, variables: '{"filter":{}}' }),
    "a list instead of them": post({ query: users, variables: [1] }),
    "__proto__ among them": { body: `{"query":${JSON.stringify(users)},"variables":{"__proto__":{"filter":{}}}}` },
    "constructor.prototype among them": {
      body: `{"query":${JSON.stringify(users)},"variables":{"constructor":{"prototype":{"x":1}}}}`,
    },
    "a NUL byte": query(users, { filter: { search: "a\u0000b" } }),
    "half a surrogate": { body: `{"query":${JSON.stringify(users)},"variables":{"filter":{"search":"\\ud800"}}}` },
    "named twice": query("query Q($a: ID!, $a: ID!) { licence(id: $a) { id } }", { a: "x" }),
    "that nobody declared": query("{ licence(id: $a) { id } }", { a: "x" }),
    "that nobody uses": query("query Q($a: ID) { me { id } }", { a: "x" }),
  },
  operations: {
    "several, none chosen": query("query A { me { id } } query B { me { id } }"),
    "a name that is not there": post({ query: "query A { me { id } }", operationName: "B" }),
    "a name that is a number": post({ query: "query A { me { id } }", operationName: 1 }),
    "__proto__ for a name": post({ query: "query A { me { id } }", operationName: "__proto__" }),
    "two of one name": query("query A { me { id } } query A { me { id } }"),
    "one with a name and one without": query("{ me { id } } query A { me { id } }"),
    "two mutations at once": query("mutation { signOut a: signOut }"),
    "a mutation by GET": {
      method: "GET",
      search: `?query=${encodeURIComponent("mutation { signOut }")}`,
      headers: { "apollo-require-preflight": "1" },
    },
    "a query by GET that another site could send": {
      method: "GET",
      search: `?query=${encodeURIComponent("{ me { id } }")}`,
      headers: { "content-type": "text/plain" },
    },
    "two queries in one address": {
      method: "GET",
      search: "?query={a}&query={b}",
      headers: { "apollo-require-preflight": "1" },
    },
    "variables in an address that are no JSON": {
      method: "GET",
      search: "?query={me{id}}&variables={",
      headers: { "apollo-require-preflight": "1" },
    },
  },
  "hashes of operations": {
    "of an unknown text": persisted({ version: 1, sha256Hash: hash("{ me { id } }") }),
    "of another text": persisted({ version: 1, sha256Hash: hash("x") }, { query: "{ me { id } }" }),
    "of another version": persisted({ version: 2, sha256Hash: hash("{ me { id } }") }),
    "that are no text": persisted({ version: 1, sha256Hash: { $ne: null } }, {}),
    "of 80 kB": persisted({ version: 1, sha256Hash: "a".repeat(80_000) }),
    "that are missing": persisted({ version: 1 }),
    "that are __proto__": persisted({ version: 1, sha256Hash: "__proto__" }),
    "in a list": persisted([{ version: 1, sha256Hash: hash("x") }]),
    "that are true": persisted(true),
    "in extensions that are a text": post({ query: "{ me { id } }", extensions: "persistedQuery" }),
    "in extensions that are a list": post({ query: "{ me { id } }", extensions: [] }),
    "by GET": {
      method: "GET",
      search: `?extensions=${encodeURIComponent(JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash("x") } }))}`,
      headers: { "apollo-require-preflight": "1" },
    },
  },
  bodies: {
    "a batch": { body: '[{"query":"{ me { id } }"},{"query":"{ me { id } }"}]' },
    "an empty batch": { body: "[]" },
    "a batch of 5,000": { body: JSON.stringify(Array(3_000).fill({ query: "{ me { id } }" })) },
    null: { body: "null" },
    "a text": { body: '"{ me { id } }"' },
    "an empty object": { body: "{}" },
    nothing: { body: "" },
    "no JSON": { body: "{query:{me{id}}}" },
    "JSON that does not end": { body: '{"query":"{ me { id } }"' },
    "a query that is a number": post({ query: 1 }),
    "a query that is a list": post({ query: ["{ me { id } }"] }),
    "a query that is a document": post({ query: { kind: "Document", definitions: [] } }),
    "__proto__ with a query": { body: '{"__proto__":{"query":"{ me { id } }"}}' },
    "a key twice": { body: '{"query":"{ me { id } }","query":"{{{"}' },
    "bytes that are not UTF-8": { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) },
    "UTF-16": { body: Buffer.from('{"query":"{ me { id } }"}', "utf16le") },
    "300 kB": post({ query: "{ me { id } }", variables: { a: "x".repeat(300_000) } }),
    "text/plain": { ...query("{ me { id } }"), headers: { "content-type": "text/plain" } },
    "application/graphql": { body: "{ me { id } }", headers: { "content-type": "application/graphql" } },
    "a form": { body: "query={me{id}}", headers: { "content-type": "application/x-www-form-urlencoded" } },
    XML: { body: "<query/>", headers: { "content-type": "application/xml" } },
    "no content type": { ...query("{ me { id } }"), headers: { "content-type": "" } },
    "multipart with nothing in it": {
      body: "--b--\r\n",
      headers: { "content-type": "multipart/form-data; boundary=b", "apollo-require-preflight": "1" },
    },
    "multipart without a boundary": {
      body: "x",
      headers: { "content-type": "multipart/form-data", "apollo-require-preflight": "1" },
    },
    "packed with gzip": {
      ...query("{ me { id } }"),
      headers: { "content-encoding": "gzip", "content-type": "application/json" },
    },
    "an answer nobody can give": { ...query("{ me { nothing } }"), headers: { accept: "image/png" } },
  },
};
