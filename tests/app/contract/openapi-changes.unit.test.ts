import { describe, expect, test } from "vitest";
import { compareOpenApi } from "../../../scripts/contract/compare-contracts.ts";

type Json = Record<string, unknown>;

const released = {
  paths: {
    "/v1/things/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      put: {
        parameters: [
          { name: "page", in: "query", required: false, schema: { type: "integer", minimum: 1, maximum: 100 } },
        ],
        requestBody: {
          required: false,
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/Input" } },
            "multipart/form-data": { schema: {} },
          },
        },
        responses: {
          200: {
            headers: { "x-next": {} },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } }, "text/csv": {} },
          },
          404: { $ref: "#/components/responses/Missing" },
        },
        security: [{ bearer: [] }, { token: ["things:read"] }],
      },
      get: { responses: { 200: { content: { "application/json": { schema: {} } } } } },
    },
  },
  components: {
    responses: { Missing: { content: { "application/json": { schema: { type: "string" } } } } },
    schemas: {
      Input: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 2, maxLength: 30 },
          level: { enum: [1, 2, 3] },
          count: { type: ["integer", "null"] },
          owner: { $ref: "#/components/schemas/Input" },
          either: { anyOf: [{ type: "string" }, { type: "number" }] },
        },
      },
      Thing: {
        allOf: [
          { type: "object", required: ["id"], properties: { id: { type: "string", format: "uuid" } } },
          {
            properties: {
              note: { type: "string" },
              state: { enum: ["on", "off"] },
              parts: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
              either: { oneOf: [{ type: "string" }, { type: "null" }] },
            },
          },
        ],
      },
    },
  },
};

/** Compares the released document with a changed copy. */
function after(change: (document: { paths: Json; components: { schemas: Json } }) => void) {
  const present = structuredClone(released) as unknown as { paths: Json; components: { schemas: Json } };
  change(present);
  return compareOpenApi(released, present as unknown as Json);
}

/** Sets the value at a path of the document, or removes it if undefined. */
function put(path: string, value: unknown) {
  return (document: object) => {
    const parts = path.split(" ").map((part) => part.replace("THINGS", "/v1/things/{id}"));
    const last = parts.pop() ?? "";
    const place = parts.reduce<Json>((at, part) => at[part] as Json, document as Json);
    if (value === undefined) delete place[last];
    else place[last] = value;
  };
}

/** Short names of places in the document. */
const places: Readonly<Record<string, string>> = {
  PUT: "paths THINGS put",
  INPUT: "components schemas Input",
  ID: "components schemas Thing allOf 0",
  THING: "components schemas Thing allOf 1",
};

/** Reads lines of a change, its place, the new JSON (nothing to remove it) and a part of the expected message. */
const readTable = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([change = "", path = "", json, sentence = ""]) => {
      const value: unknown = json ? JSON.parse(json) : undefined;
      return [change, path.replace(/^\w+/, (name) => places[name] ?? name), value, sentence] as const;
    });

describe("a breaking change", () => {
  test.each(
    readTable(`
  a removed method | paths THINGS get |  | GET /v1/things/{id} was removed
  a removed parameter | PUT parameters | [] | PUT /v1/things/{id}: the parameter query page was removed
  a parameter that is now required | PUT parameters 0 required | true | query page is now required
  a parameter with a lower maximum | PUT parameters 0 schema maximum | 50 | has maximum 50, and had 100
  a body that is now required | PUT requestBody required | true | a body is now required
  a content type that is no longer accepted | PUT requestBody content multipart/form-data |  | no longer accepts multipart/form-data
  a field that is no longer accepted | INPUT properties level |  | body.level was removed
  a field that is now required | INPUT required | ["name","level"] | body.level is now required
  a new type constraint | INPUT properties level type | "integer" | body.level was anything and is integer
  a lower maximum length | INPUT properties name maxLength | 20 | body.name has maxLength 20, and had 30
  a higher minimum length | INPUT properties name minLength | 3 | body.name has minLength 3, and had 2
  a new pattern | INPUT properties name pattern | "^a" | body.name has pattern ^a, and had none
  a value that is no longer accepted | INPUT properties level enum | [1,2] | body.level no longer accepts 3
  a new list of allowed values | INPUT properties name enum | ["a"] | body.name accepts only
  an alternative that is no longer accepted | INPUT properties either anyOf | [{"type":"string"}] | body.either no longer accepts one of its alternatives
  additional fields that are no longer accepted | INPUT additionalProperties | false | body no longer accepts additional fields
  a breaking change inside a field | INPUT properties owner | {"type":"object","properties":{"name":{"type":"number"}}} | body.owner.name was string and is number
  a status that is no longer returned | PUT responses 404 |  | PUT /v1/things/{id} no longer returns 404
  a response with another content type | PUT responses 200 content text/csv |  | 200 is no longer text/csv
  a removed response header | PUT responses 200 headers | {} | the header x-next was removed
  a removed response field | THING properties note |  | response.note was removed
  a response field that may now be missing | ID required | [] | response.id may be missing
  a wider type of a response field | THING properties note type | ["string","null"] | response.note was string and is string or null
  another format of a response field | ID properties id format |  | response.id was a uuid and is any text
  a list that is no longer a list | THING properties parts | {"type":"string"} | response.parts was array and is string
  another item type in a list | THING properties parts items | {"type":"string"} | response.parts[] was object and is string
  a new alternative in a response | THING properties either oneOf | [{"type":"string"},{"type":"null"},{"type":"number"}] | response.either may have a new alternative
  an additional scope | PUT security | [{"bearer":[]},{"token":["things:read","things:write"]}] | requires other credentials
  a new sign-in requirement | paths THINGS get security | [{"bearer":[]}] | GET /v1/things/{id} requires other credentials
  a sign-in requirement for the whole document | security | [{"bearer":[]}] | GET /v1/things/{id} requires other credentials
`),
  )("reports %s", (_change, path, value, sentence) => {
    expect(after(put(path, value)).breaking).toContainEqual(expect.stringContaining(sentence));
  });

  test("reports a new required field", () => {
    const { breaking } = after(({ components: { schemas } }) => {
      const input = schemas.Input as { required: string[]; properties: Json };
      input.required.push("fresh");
      input.properties.fresh = {};
    });
    expect(breaking).toContainEqual(expect.stringContaining("body.fresh is now required"));
  });
});

describe("a compatible change", () => {
  test.each(
    readTable(`
  a new path | paths /v1/other | {"get":{"responses":{}}}
  a new optional parameter | PUT parameters 1 | {"name":"x","in":"query","schema":{"type":"string"}}
  a parameter with a higher maximum | PUT parameters 0 schema maximum | 1000
  a new optional field | INPUT properties fresh | {"type":"string"}
  a field that is no longer required | INPUT required | []
  a higher maximum length | INPUT properties name maxLength | 60
  a wider type of a request field | INPUT properties name type | ["string","null"]
  a new accepted value | INPUT properties level enum | [1,2,3,4]
  a new accepted alternative | INPUT properties either anyOf | [{"type":"string"},{"type":"number"},{"type":"null"}]
  a new status | PUT responses 409 | {}
  a new response field | THING properties fresh | {"type":"string"}
  a response field that is now always present | ID required | ["id","note"]
  a newly described response | paths THINGS get responses 200 content application/json schema | {"type":"object"}
  a removed alternative in a response | THING properties either oneOf | [{"type":"string"}]
  a removed enum value in a response | THING properties state enum | ["on"]
  an additional kind of credentials | PUT security | [{"bearer":[]},{"token":["things:read"]},{"key":[]}]
  a removed sign-in requirement | PUT security | []
  deprecation | PUT deprecated | true
`),
  )("isn't reported for %s", (_change, path, value) => {
    expect(after(put(path, value))).toEqual({ breaking: [], dangerous: [] });
  });

  test("isn't reported for the same schema under another name or inline", () => {
    expect(after(put("paths THINGS put responses 404", released.components.responses.Missing)).breaking).toEqual([]);
  });
});

test.each(
  readTable(`
  a new enum value in a response | THING properties state enum | ["on","off","gone"] | response.state may be "gone"
  a response field that may now have any value | THING properties state | {} | response.state is no longer one of "on", "off"
`),
)("reports %s as dangerous, not breaking", (_what, path, value, sentence) => {
  const { breaking, dangerous } = after(put(path, value));
  expect(breaking).toEqual([]);
  expect(dangerous).toContainEqual(expect.stringContaining(sentence));
});

test("rejects a reference to a missing component", () => {
  expect(() => after(put("paths THINGS put responses 404 $ref", "#/components/responses/Gone"))).toThrow(
    /Gone is not in/,
  );
});

test("reports a removed webhook event, and a changed one as it does a response", () => {
  const event = (...fields: string[]) => {
    const properties = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
    const schema = { type: "object", required: fields, properties };
    return { post: { requestBody: { content: { "application/json": { schema } } } } };
  };
  const before = { webhooks: { "user.created": event("userId"), "user.erased": event("userId") } };
  expect(compareOpenApi(before, { webhooks: { "user.created": event("id") } }).breaking).toEqual([
    expect.stringContaining("Webhook user.created.userId"),
    "Webhook user.erased was removed",
  ]);
  const after = { webhooks: { ...before.webhooks, "user.created": event("userId", "at"), "user.changed": event() } };
  expect(compareOpenApi(before, after)).toEqual({ breaking: [], dangerous: [] });
});
