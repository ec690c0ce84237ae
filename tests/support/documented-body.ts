import { expect } from "vitest";
import { contractOfRoutes } from "#api/dev/documented-answers.ts";
import { routes } from "#api/v1/routes.ts";

const addresses = routes
  .map(({ method, url }) => ({ method, url, pattern: new RegExp(`^${url.replace(/:\w+/g, "[^/]+")}/?$`) }))
  // An address without parameters goes before one with them, as in the server.
  .sort((a, b) => Number(a.url.includes("/:")) - Number(b.url.includes("/:")));

/** A body that was taken is one that `schema/openapi.json` allows: the document is never narrower than the rules. */
export function expectDocumentedBody(method: string, path: string, body: unknown): void {
  const address = path.split("?")[0] ?? "";
  const route = addresses.find((one) => one.method === method && one.pattern.test(address));
  if (route) expect(contractOfRoutes().bodyFault(method, route.url, body), `${method} ${route.url}`).toBe(undefined);
}
