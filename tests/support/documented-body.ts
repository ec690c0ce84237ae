import { expect } from "vitest";
import { getRouteContract } from "#api/dev/response-contract.ts";
import { routes } from "#api/v1/routes.ts";

const patterns = routes
  .map(({ method, url }) => ({ method, url, pattern: new RegExp(`^${url.replace(/:\w+/g, "[^/]+")}/?$`) }))
  // Paths without parameters take precedence over paths with parameters, as in the server.
  .sort((a, b) => Number(a.url.includes("/:")) - Number(b.url.includes("/:")));

/** Asserts that `schema/openapi.json` allows a body that the server accepted. */
export function expectDocumentedBody(method: string, path: string, body: unknown): void {
  const pathname = path.split("?")[0] ?? "";
  const route = patterns.find((one) => one.method === method && one.pattern.test(pathname));
  if (route)
    expect(getRouteContract().findBodyError(method, route.url, body), `${method} ${route.url}`).toBe(undefined);
}
