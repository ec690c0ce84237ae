import Fastify from "fastify";
import { expect, test } from "vitest";
import { type Contract, getRouteContract, checkResponses, UNDOCUMENTED_HEADER } from "#api/dev/response-contract.ts";
import { buildOpenApiDocument } from "#api/v1/openapi.ts";
import { routes } from "#api/v1/routes.ts";
import { downloadRules } from "#schema/downloads.ts";

const contract: Contract = getRouteContract();

test("every route has examples of its responses and body that match their schemas and rules", async () => {
  const faults: string[] = [];
  for (const { method, url, status, example, fileTypes, otherResponses, body, bodyExample } of routes) {
    const others = Object.entries(otherResponses).map(([other, one]) => [other, one.schema && one.example] as const);
    for (const [code, json] of [...(fileTypes.length > 0 ? [] : [[status, example] as const]), ...others]) {
      const text = json === undefined ? "" : JSON.stringify(json);
      const answer = { status: Number(code), type: "application/json", text };
      faults.push(contract.findResponseError(method, url, answer) ?? "");
    }
    if (!body) continue;
    faults.push(contract.findBodyError(method, url, bodyExample) ?? "");
    await body.validate(bodyExample, { abortEarly: false }).catch((error: Error) => faults.push(error.message));
  }
  expect(faults.filter(Boolean)).toEqual([]);
});

test("describes every path parameter with an example, and no others, and query parameters that pass their rules", async () => {
  for (const { method, url, query, params } of routes) {
    const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const names = [...inPath, ...Object.keys(query?.fields ?? {})];
    expect(Object.keys(params).toSorted(), `${method} ${url}`).toEqual(names.toSorted());
    for (const name of inPath) expect(params[name]?.example, `${name} of ${method} ${url}`).toBeTruthy();
    const given = Object.entries(params).map(([name, { example }]) => [name, example]);
    if (query) await expect(query.validate(Object.fromEntries(given), { abortEarly: false })).resolves.toBeTruthy();
  }
});

test("says of the prices of plans that they are without GST, which other amounts include", () => {
  type Schemas = Record<string, { properties: Record<string, { description?: string }> }>;
  const { schemas } = (buildOpenApiDocument(routes) as { components: { schemas: Schemas } }).components;
  for (const name of ["PlanPrice", "PlanPriceVersion", "PostPlansPriceBody"])
    expect(schemas[name]?.properties.audCents?.description, name).toBe("Cents, without GST");
});

test("validates the body of every download with the rules from which pages derive its type", () => {
  for (const [path, rules] of Object.entries(downloadRules)) {
    const route = routes.find(({ method, url }) => method === "POST" && url === path);
    expect(route?.body, path).toBe(rules);
    expect(route?.fileTypes, path).not.toEqual([]);
  }
});

const answer = (json: unknown, status = 200) => ({ status, type: "application/json", text: JSON.stringify(json) });

test("the contract check reports a missing field, an unknown field and a field of another type", () => {
  const settings = { memberType: 1, isTester: false, isServiceProvider: false };
  const fault = (json: unknown) =>
    contract.findResponseError("GET", "/v1/core/accounts/:userId/profile/settings", answer(json));
  expect(fault(settings)).toBe(undefined);
  expect(fault({ memberType: 1, isTester: false })).toContain("isServiceProvider");
  expect(fault({ ...settings, password: "x" })).toContain("additional");
  expect(fault({ ...settings, memberType: 4 })).toContain("memberType");
  // Also inside lists and named schemas.
  const example = routes.find(({ url }) => url === "/v1/licence/:id")?.example as Record<string, unknown>[];
  const inList = contract.findResponseError("GET", "/v1/licence/:id", answer([{ ...example[0], secret: 1 }]));
  expect(inList).toContain("additional");
});

test("the contract check reports an undocumented status, content type and body", () => {
  const find = (url: string, given: Parameters<Contract["findResponseError"]>[2]) =>
    contract.findResponseError("GET", url, given);
  expect(find("/v1/promoCode", answer([], 418))).toBe("status 418 is not documented");
  expect(find("/v1/promoCode", { status: 200, type: "text/html", text: "" })).toContain("html");
  expect(find("/v1/software/update", { status: 204, type: "", text: "x" })).toContain("body");
});

test("gives every call in OpenAPI a unique operation id", () => {
  const { paths } = buildOpenApiDocument(routes) as { paths: Record<string, Record<string, { operationId: string }>> };
  const ids = Object.values(paths).flatMap((calls) => Object.values(calls).map(({ operationId }) => operationId));
  expect(new Set(ids).size).toBe(routes.length);
});

test.each([
  ["a documented response", 200, [], null],
  ["a response with an undocumented body", 200, { rows: [] }, "200: it must be array"],
  ["a response with an undocumented status", 418, [], "418: status 418 is not documented"],
])("sends %s unchanged, and adds a header only if it is undocumented", async (_what, status, json, fault) => {
  const app = Fastify();
  checkResponses(app);
  app.get("/v1/promoCode", (_request, reply) => reply.code(status).send(json));
  app.get("/elsewhere", (_request, reply) => reply.code(status).send(json));
  const sent = await app.inject("/v1/promoCode");
  expect([sent.statusCode, sent.json(), sent.headers[UNDOCUMENTED_HEADER] ?? null]).toEqual([status, json, fault]);
  expect((await app.inject("/elsewhere")).headers[UNDOCUMENTED_HEADER]).toBe(undefined);
});
