import { expect, test } from "vitest";
import { buildSamples } from "../../../scripts/content/rest-reference/code-samples.ts";
import { buildExample } from "../../../scripts/content/rest-reference/build-example.ts";
import type { OpenApi, Schema } from "../../../scripts/content/rest-reference/openapi-types.ts";
import { type Call, readReference, splitSummary } from "../../../scripts/content/rest-reference/read-reference.ts";
import { loadReference, renderReference } from "../../../scripts/content/rest-reference/render-reference.ts";
import {
  listFields,
  describeRules,
  type Shapes,
  describeType,
} from "../../../scripts/content/rest-reference/schema-fields.ts";

const shapes: Shapes = {
  named: {
    Licence: { type: "object", properties: { id: { type: "string", format: "uuid" } }, required: ["id"] },
    Once: { type: "object", properties: { of: { $ref: "#/components/schemas/Once" }, at: { type: "integer" } } },
  },
  isListed: (name) => name === "Licence",
};
const licence: Schema = { $ref: "#/components/schemas/Licence" };

test.each<[string, Schema]>([
  ["string", { type: "string" }],
  ["uuid", { type: "string", format: "uuid" }],
  ["date and time or null", { type: ["string", "null"], format: "date-time" }],
  ["Licence", licence],
  ["list of Licence", { type: "array", items: licence }],
  ["Licence or null", { anyOf: [licence, { type: "null" }] }],
  ["Licence or string", { oneOf: [licence, { type: "string" }] }],
  ["true", { const: true }],
  ["object of string", { type: "object", additionalProperties: { type: "string" } }],
  ["file", { type: "string", format: "binary" }],
  ["base64", { type: "string", contentEncoding: "base64" }],
  ["object", { $ref: "#/components/schemas/Once" }],
  ["anything", {}],
])("describes a type as %s", (words, schema) => {
  expect(describeType(schema, shapes).text).toBe(words);
});

test.each<[string[], Schema]>([
  [["8 to 200 characters"], { type: "string", minLength: 8, maxLength: 200 }],
  [["at most 1 character"], { type: "string", minLength: 0, maxLength: 1 }],
  [["exactly 6 characters"], { type: "string", minLength: 6, maxLength: 6 }],
  [["0 to 19"], { type: "integer", minimum: 0, maximum: 19 }],
  [["at least 1 item", "each 1 to 5 characters"], { items: { minLength: 1, maxLength: 5 }, minItems: 1 }],
  [['one of "a", "b"', 'default "a"'], { enum: ["a", "b", null], default: "a" }],
  [["matches ^x$"], { type: "string", pattern: "^x$" }],
  [[], { type: "string", pattern: "^[0-9a-f]+$", format: "uuid" }],
  [["more than 0", "a multiple of 5"], { exclusiveMinimum: 0, multipleOf: 5 }],
  [["at most 9 characters"], { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] }],
])("describes constraints as %s", (rules, schema) => {
  expect(describeRules(schema, shapes)).toEqual(rules);
});

const names = (schema: Schema) => listFields(schema, shapes).map(({ name, variant }) => variant ?? name);

test("the fields of a schema include nested objects and lists, with required marks and descriptions", () => {
  const schema: Schema = {
    type: "object",
    required: ["machine"],
    properties: {
      machine: { type: "object", properties: { name: { type: "string", description: "As people see it" } } },
      events: { type: "array", items: { type: "object", required: ["id"], properties: { id: { type: "string" } } } },
      old: { type: "string", deprecated: true },
    },
  };
  expect(names(schema)).toEqual(["machine", "machine.name", "events", "events[].id", "old"]);
  const fields = listFields(schema, shapes);
  expect(fields.map(({ required }) => required)).toEqual([true, false, false, true, false]);
  expect([fields.map(({ depth }) => depth), fields[1]?.text]).toEqual([[0, 1, 0, 1, 0], "As people see it"]);
  expect(fields[4]?.deprecated).toBe(true);
});

test("the fields of a schema omit shared objects, stop at recursion, and have a heading for each alternative", () => {
  expect([names({ type: "object", properties: { licence } }), names(licence)]).toEqual([["licence"], ["id"]]);
  expect(names({ $ref: "#/components/schemas/Once" })).toEqual(["of", "at"]);
  const card: Schema = { title: "By card", properties: { card: { type: "string" } } };
  const bank: Schema = { properties: { bank: { type: "string" } } };
  expect(names({ oneOf: [card, bank] })).toEqual(["By card", "card", "Form 2", "bank"]);
  expect(names({ allOf: [card, bank] })).toEqual(["card", "bank"]);
  expect(names({ anyOf: [card, { type: "null" }] })).toEqual(["card"]);
});

test("builds an example from a schema with every field, one list item and no recursion", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      licence,
      ids: { type: "array", items: { type: "integer", minimum: 3 } },
      kind: { enum: ["a", "b"] },
      isNew: { const: false },
      once: { $ref: "#/components/schemas/Once" },
    },
  };
  const id: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const example = { licence: { id }, ids: [3], kind: "a", isNew: false, once: { at: 1 } };
  expect(buildExample(schema, shapes)).toEqual(example);
});

test.each([
  ["Sign out: ends the session", "Sign out", "Ends the session."],
  ["Update a user; with `revision` a 409", "Update a user", "With `revision` a 409."],
  ["May I run? Once a day", "May I run?", "Once a day."],
  ["The public keys (JWK set)", "The public keys", "JWK set."],
  ["Register", "Register", ""],
])("splits the summary %j into the title %j and a text", (summary, title, rest) => {
  expect(splitSummary(summary)).toEqual({ title, rest });
});

const hostile: OpenApi = {
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  paths: {
    "/v1/things/{thingId}": {
      put: {
        tags: ["<b>Things</b>"],
        summary: "Change a thing's <script>alert(1)</script>",
        description: "For admins (member type 3).",
        deprecated: true,
        security: [{ bearer: [] }],
        "x-scope": "things:write",
        parameters: [
          { name: "thingId", in: "path", required: true, schema: { type: "string" } },
          { name: "page", in: "query", schema: { type: "integer" } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: { type: "object", properties: { name: { type: "string" } } },
              example: { name: 'It\'s </pre> "so"', sizes: [1], none: null },
            },
          },
        },
        responses: {
          "200": { description: "Done.", content: { "application/json": { schema: { const: true }, example: true } } },
          "409": {
            description: "Changed | meanwhile.",
            content: { "application/json": { example: { Message: "No" } } },
          },
          "429": { description: "Too many." },
        },
      },
    },
  },
};
const [call] = readReference(hostile).groups[0]?.calls ?? [];

test("escapes text and shows deprecation, scope and errors", () => {
  const page = renderReference(readReference(hostile), '<h2 id="errors">Errors</h2><pre>x</pre>');
  expect(page).not.toMatch(/<script|<b>Things|<\/pre> "so"/);
  expect(page).toContain('id="put-v1-things-thingid"');
  expect(page).toContain('<b class="deprecated">deprecated</b>');
  expect(page).toContain("scope <code>things:write</code>");
  expect(page).toContain('<code class="body">{&quot;Message&quot;:&quot;No&quot;}</code>');
  expect(page).toContain('<a href="#errors">Errors</a>');
});

test("writes samples in three languages with correctly escaped quotes", () => {
  const { curl, javascript, csharp } = buildSamples(call as Call);
  expect(curl).toContain(`curl -X PUT "%PUBLIC_URL%/v1/things/THING_ID" \\\n  -H "Authorization: Bearer $TOKEN"`);
  expect(curl).toContain(String.raw`"name": "It'\''s </pre> \"so\""`);
  expect(javascript).toContain('method: "PUT"');
  expect(javascript).toContain("sizes: [");
  expect(csharp).toContain('new HttpRequestMessage(HttpMethod.Put, "%PUBLIC_URL%/v1/things/THING_ID")');
  expect(csharp).toContain('""none"": null');
});

test("the JavaScript sample reads no JSON from a response without a body", () => {
  const calls = loadReference(".").groups.flatMap((group) => group.calls);
  const guarded = calls.filter((one) =>
    buildSamples(one).javascript.includes("response.status === 204 ? null : await"),
  );
  expect(guarded.map(({ id }) => id)).toEqual(["get-v1-software-update"]);
});

test("writes C# samples that dispose resources and quote the body", () => {
  const { csharp } = buildSamples({
    ...(call as Call),
    bodies: [{ ...(call as Call).bodies[0], example: { say: 'a "b"' } } as never],
  });
  expect(csharp.split("\n")).toEqual([
    'using (var request = new HttpRequestMessage(HttpMethod.Put, "%PUBLIC_URL%/v1/things/THING_ID"))',
    "{",
    '    request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);',
    '    request.Content = new StringContent(@"{',
    String.raw`      ""say"": ""a \""b\""""`,
    '    }", Encoding.UTF8, "application/json");',
    "    using (var response = await http.SendAsync(request))",
    "    {",
    "        var json = await response.Content.ReadAsStringAsync();",
    "    }",
    "}",
  ]);
  for (const one of loadReference(".").groups.flatMap(({ calls }) => calls)) {
    const sample = buildSamples(one).csharp;
    expect(sample.split("{").length, one.id).toBe(sample.split("}").length);
  }
});

test("renders every call once with examples and an anchor, and no dead link", () => {
  const reference = loadReference(".");
  const calls = reference.groups.flatMap((group) => group.calls);
  expect(calls.length).toBeGreaterThan(70);
  const page = renderReference(reference, "");
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const { id } of calls) expect(ids).toContain(id);
  const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
  expect(page).not.toContain("undefined");
  expect(page).not.toContain("[object Object]");
});
