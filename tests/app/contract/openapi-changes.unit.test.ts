import { describe, expect, test } from "vitest";
import { openApiChanges } from "../../../scripts/contract/openapi-changes.ts";

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
            "application/json": { schema: { $ref: "#/components/schemas/Asked" } },
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
      Asked: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 2, maxLength: 30 },
          level: { enum: [1, 2, 3] },
          count: { type: ["integer", "null"] },
          owner: { $ref: "#/components/schemas/Asked" },
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

/** The released document after a change to a copy of it. */
function after(change: (document: { paths: Json; components: { schemas: Json } }) => void) {
  const present = structuredClone(released) as unknown as { paths: Json; components: { schemas: Json } };
  change(present);
  return openApiChanges(released, present as unknown as Json);
}

/** Sets or, with undefined, removes what stands at a place of the document. */
function put(path: string, value: unknown) {
  return (document: object) => {
    const parts = path.split(" ").map((part) => part.replace("THINGS", "/v1/things/{id}"));
    const last = parts.pop() ?? "";
    const place = parts.reduce<Json>((at, part) => at[part] as Json, document as Json);
    if (value === undefined) delete place[last];
    else place[last] = value;
  };
}

const PUT = "paths THINGS put";
const ASKED = "components schemas Asked";
const ID = "components schemas Thing allOf 0";
const THING = "components schemas Thing allOf 1";
const at = "PUT /v1/things/{id}";

test("the same contract has not changed", () => {
  expect(after(() => {})).toEqual({ breaking: [], dangerous: [] });
});

describe("a break is found", () => {
  test.each<[string, string, unknown, string]>([
    ["a path", "paths THINGS", undefined, `${at} is gone`],
    ["a method", "paths THINGS get", undefined, "GET /v1/things/{id} is gone"],
    ["a parameter that is gone", `${PUT} parameters`, [], `${at}: the parameter query page is gone`],
    ["a parameter that must be sent", `${PUT} parameters 0 required`, true, "query page has become required"],
    [
      "a new parameter that must be sent",
      `${PUT} parameters 1`,
      { name: "x", in: "header", required: true },
      "header x has become required",
    ],
    ["a narrower parameter", `${PUT} parameters 0 schema maximum`, 50, "has maximum 50, and had 100"],
    ["a body that must be sent", `${PUT} requestBody required`, true, "a body has become required"],
    [
      "a content type no longer taken",
      `${PUT} requestBody content multipart/form-data`,
      undefined,
      "no longer takes multipart/form-data",
    ],
    ["a field no longer taken", `${ASKED} properties level`, undefined, "body.level is gone"],
    ["a field that must be sent", `${ASKED} required`, ["name", "level"], "body.level has become required"],
    [
      "a new field that must be sent",
      ASKED,
      {
        ...released.components.schemas.Asked,
        required: ["name", "fresh"],
        properties: { ...released.components.schemas.Asked.properties, fresh: {} },
      },
      "body.fresh has become required",
    ],
    [
      "a narrower type of a request",
      `${ASKED} properties count type`,
      "integer",
      "body.count was integer or null and is integer",
    ],
    [
      "a type where anything went",
      `${ASKED} properties level type`,
      "integer",
      "body.level was anything and is integer",
    ],
    ["a shorter text", `${ASKED} properties name maxLength`, 20, "body.name has maxLength 20, and had 30"],
    ["a longer least", `${ASKED} properties name minLength`, 3, "body.name has minLength 3, and had 2"],
    ["a pattern", `${ASKED} properties name pattern`, "^a", "body.name has pattern ^a, and had none"],
    ["a value no longer taken", `${ASKED} properties level enum`, [1, 2], "body.level no longer takes 3"],
    ["a list of values where any went", `${ASKED} properties name enum`, ["a"], "body.name takes only"],
    [
      "a form no longer taken",
      `${ASKED} properties either anyOf`,
      [{ type: "string" }],
      "body.either no longer takes one of its forms",
    ],
    ["further fields no longer taken", `${ASKED} additionalProperties`, false, "body no longer takes further fields"],
    [
      "a break inside a field",
      `${ASKED} properties owner`,
      { type: "object", properties: { name: { type: "number" } } },
      "body.owner.name was string and is number",
    ],
    ["a status no longer answered", `${PUT} responses 404`, undefined, `${at} no longer answers 404`],
    ["an answer of another kind", `${PUT} responses 200 content text/csv`, undefined, "200 is no longer text/csv"],
    ["a header that is gone", `${PUT} responses 200 headers`, {}, "the header x-next is gone"],
    ["a field no longer answered", `${THING} properties note`, undefined, "answer.note is gone"],
    ["a field that may be missing", `${ID} required`, [], "answer.id may be missing"],
    [
      "a wider type of an answer",
      `${THING} properties note type`,
      ["string", "null"],
      "answer.note was string and is string or null",
    ],
    ["another type of an answer", `${THING} properties note type`, "number", "answer.note was string and is number"],
    ["another format of an answer", `${ID} properties id format`, undefined, "answer.id was a uuid and is any text"],
    ["a list no more", `${THING} properties parts`, { type: "string" }, "answer.parts was array and is string"],
    [
      "other rows of a list",
      `${THING} properties parts items`,
      { type: "string" },
      "answer.parts[] was object and is string",
    ],
    [
      "a new form of an answer",
      `${THING} properties either oneOf`,
      [{ type: "string" }, { type: "null" }, { type: "number" }],
      "answer.either may have a form it had not",
    ],
    ["a way to sign in that is gone", `${PUT} security`, [{ bearer: [] }], "asks for other credentials"],
    [
      "a scope more",
      `${PUT} security`,
      [{ bearer: [] }, { token: ["things:read", "things:write"] }],
      "asks for other credentials",
    ],
    [
      "sign-in where none was asked",
      "paths THINGS get security",
      [{ bearer: [] }],
      "GET /v1/things/{id} asks for other credentials",
    ],
  ])("%s", (_what, path, value, sentence) => {
    expect(after(put(path, value)).breaking).toContainEqual(expect.stringContaining(sentence));
  });

  test("sign-in asked of everybody", () => {
    const { breaking } = after((document) => Object.assign(document, { security: [{ bearer: [] }] }));
    expect(breaking).toEqual(["GET /v1/things/{id} asks for other credentials"]);
  });
});

describe("what is added passes", () => {
  test.each<[string, string, unknown]>([
    ["a path", "paths /v1/other", { get: { responses: {} } }],
    ["a method", "paths THINGS post", { responses: {} }],
    ["a parameter that may be sent", `${PUT} parameters 1`, { name: "x", in: "query", schema: { type: "string" } }],
    ["a wider parameter", `${PUT} parameters 0 schema maximum`, 1_000],
    ["a content type", `${PUT} requestBody content text/csv`, {}],
    ["a field that may be sent", `${ASKED} properties fresh`, { type: "string" }],
    ["a field that need not be sent", `${ASKED} required`, []],
    ["a longer text", `${ASKED} properties name maxLength`, 60],
    ["a text of any length", `${ASKED} properties name maxLength`, undefined],
    ["a wider type of a request", `${ASKED} properties name type`, ["string", "null"]],
    ["any number for a whole one", `${ASKED} properties count type`, ["number", "null"]],
    ["a value taken", `${ASKED} properties level enum`, [1, 2, 3, 4]],
    ["any value taken", `${ASKED} properties level`, {}],
    ["a form taken", `${ASKED} properties either anyOf`, [{ type: "string" }, { type: "number" }, { type: "null" }]],
    ["a status", `${PUT} responses 409`, {}],
    ["a field answered", `${THING} properties fresh`, { type: "string" }],
    ["a field always answered", `${ID} required`, ["id", "note"]],
    ["an answer described", "paths THINGS get responses 200 content application/json schema", { type: "object" }],
    ["a form answered no more", `${THING} properties either oneOf`, [{ type: "string" }]],
    ["a value answered no more", `${THING} properties state enum`, ["on"]],
    ["a way to sign in", `${PUT} security`, [{ bearer: [] }, { token: ["things:read"] }, { key: [] }]],
    ["a scope less", `${PUT} security`, [{ bearer: [] }, { token: [] }]],
    ["no sign-in", `${PUT} security`, []],
    ["deprecation", `${PUT} deprecated`, true],
    ["words", `${PUT} summary`, "Other words"],
  ])("%s", (_what, path, value) => {
    expect(after(put(path, value))).toEqual({ breaking: [], dangerous: [] });
  });

  test("the same schema under another name, or written out", () => {
    const { breaking } = after(put("paths THINGS put responses 404", released.components.responses.Missing));
    expect(breaking).toEqual([]);
  });
});

test.each<[string, string, unknown, string]>([
  ["a value more in an answer", `${THING} properties state enum`, ["on", "off", "gone"], 'answer.state may be "gone"'],
  ["any value in an answer", `${THING} properties state`, {}, 'answer.state is no longer one of "on", "off"'],
])("%s may surprise a client, and breaks none that follows the rules", (_what, path, value, sentence) => {
  const { breaking, dangerous } = after(put(path, value));
  expect(breaking).toEqual([]);
  expect(dangerous).toContainEqual(expect.stringContaining(sentence));
});

test("a reference that leads nowhere is told", () => {
  expect(() => after(put("paths THINGS put responses 404 $ref", "#/components/responses/Gone"))).toThrow(
    /Gone is not in/,
  );
});
