import { describe, expect, test } from "vitest";
import { type Contract, getRouteContract } from "#api/dev/response-contract.ts";
import { buildOpenApiDocument } from "#api/v1/openapi.ts";
import { routes } from "#api/v1/routes.ts";

const contract: Contract = getRouteContract();

describe.each(routes.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  test("has an example response that matches its schema", () => {
    if (route.fileTypes.length > 0) return;
    expect(route.example).not.toBe(undefined);
    const text = JSON.stringify(route.example);
    const answer = { status: route.status, type: "application/json", text };
    expect(contract.findResponseError(route.method, route.url, answer)).toBe(undefined);
  });

  test("has examples of its other statuses that match their schemas", () => {
    for (const [status, { schema, example }] of Object.entries(route.otherResponses)) {
      const answer = { status: Number(status), type: "application/json", text: schema ? JSON.stringify(example) : "" };
      expect(contract.findResponseError(route.method, route.url, answer)).toBe(undefined);
    }
  });

  test("has an example body that passes its rules", async () => {
    if (!route.body) return;
    expect(route.bodyExample).not.toBe(undefined);
    expect(contract.findBodyError(route.method, route.url, route.bodyExample)).toBe(undefined);
    await expect(route.body.validate(route.bodyExample, { abortEarly: false })).resolves.toBeTruthy();
  });
});

test("describes every path parameter with an example, and no others", () => {
  for (const { method, url, query, params } of routes) {
    const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const names = [...inPath, ...Object.keys(query?.fields ?? {})];
    expect(Object.keys(params).toSorted(), `${method} ${url}`).toEqual(names.toSorted());
    for (const name of inPath) expect(params[name]?.example, `${name} of ${method} ${url}`).toBeTruthy();
  }
});

test("has examples of query parameters that pass their rules", async () => {
  for (const { query, params } of routes) {
    const given = Object.entries(params).map(([name, { example }]) => [name, example]);
    if (query) await expect(query.validate(Object.fromEntries(given), { abortEarly: false })).resolves.toBeTruthy();
  }
});

describe("the contract check", () => {
  const answer = (json: unknown, status = 200) => ({ status, type: "application/json", text: JSON.stringify(json) });

  test("reports a missing field, an unknown field and a field of another type", () => {
    const settings = { memberType: 1, isTester: false, isServiceProvider: false };
    const fault = (json: unknown) =>
      contract.findResponseError("GET", "/v1/core/accounts/:userId/profile/settings", answer(json));
    expect(fault(settings)).toBe(undefined);
    expect(fault({ memberType: 1, isTester: false })).toContain("isServiceProvider");
    expect(fault({ ...settings, password: "x" })).toContain("additional");
    expect(fault({ ...settings, memberType: 4 })).toContain("memberType");
  });

  test("reports an unknown field inside lists and named schemas", () => {
    const example = routes.find(({ url }) => url === "/v1/licence/:id")?.example as Record<string, unknown>[];
    const fault = contract.findResponseError("GET", "/v1/licence/:id", answer([{ ...example[0], secret: 1 }]));
    expect(fault).toContain("additional");
  });

  test("reports an undocumented status, content type and body", () => {
    expect(contract.findResponseError("GET", "/v1/promoCode", answer([], 418))).toBe("status 418 is not documented");
    expect(contract.findResponseError("GET", "/v1/promoCode", { status: 200, type: "text/html", text: "" })).toContain(
      "html",
    );
    expect(contract.findResponseError("GET", "/v1/software/update", { status: 204, type: "", text: "x" })).toContain(
      "body",
    );
  });
});

test("gives every call in OpenAPI a unique operation id", () => {
  const { paths } = buildOpenApiDocument(routes) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const ids = Object.values(paths).flatMap((calls) => Object.values(calls).map(({ operationId }) => operationId));
  expect(new Set(ids).size).toBe(routes.length);
});
