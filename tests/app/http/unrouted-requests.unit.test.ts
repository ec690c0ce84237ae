import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { answerUnroutedRequests, repairUrl } from "#api/app/unrouted-requests.ts";

const routerOptions = { ignoreTrailingSlash: true, caseSensitive: false };
const app = Fastify({ routerOptions, rewriteUrl: ({ url = "/" }) => repairUrl(url) });
const setPages = answerUnroutedRequests(app);
app.get("/v1/plans", async () => "plans");
app.post("/v1/licence/activate", async () => "done");
app.get<{ Params: { id: string } }>("/v1/licence/:id", async ({ params }) => params.id);
app.get("/*", async (request, reply) => (request.url === "/faqs/" ? "page" : reply.callNotFound()));
setPages((path) => path === "/faqs/");
afterAll(() => app.close());

const headers = { "content-type": "application/json" };
const send = (method: string, url: string, payload?: string) =>
  app.inject({ method: method as "GET", url, ...(payload ? { payload, headers } : {}) });

test.each([
  ["PUT", "/v1/licence/activate", "POST, GET, HEAD, OPTIONS"],
  ["DELETE", "/V1/Plans/", "GET, HEAD, OPTIONS"],
  ["PATCH", "/v1/plans?currency=AUD", "GET, HEAD, OPTIONS"],
  ["PUT", "/%76%31/pl%61ns", "GET, HEAD, OPTIONS"],
  ["POST", "/faqs/", "GET, HEAD, OPTIONS"],
])("answers %s %s with 405 and the methods that it accepts", async (method, url, allowed) => {
  const { statusCode, headers } = await send(method, url, "not JSON");
  expect([statusCode, headers.allow]).toEqual([405, allowed]);
});

test("answers OPTIONS with the methods and no body, and 404 for paths that no method serves", async () => {
  const { statusCode, headers, body } = await send("OPTIONS", "/v1/plans");
  expect([statusCode, headers.allow, body]).toEqual([204, "GET, HEAD, OPTIONS", ""]);
  const paths = { POST: "/no-such-page/", OPTIONS: "/no-such-page/", GET: "/v1/no-such-call" };
  for (const [method, url] of Object.entries(paths))
    expect((await send(method, url)).statusCode, `${method} ${url}`).toBe(404);
});

test("matches paths in any letter case and keeps the case of parameters", async () => {
  expect((await send("GET", "/V1/LICENCE/Abc")).body).toBe("Abc");
});

test("treats the percent signs of a damaged link as text", async () => {
  expect((await send("GET", "/v1/licence/100%")).body).toBe("100%");
  for (const [url, repaired] of [
    ["/100%", "/100%25"],
    ["/%ff", "/%25ff"],
    ["/product/%E0%A4%A?a=%", "/product/%25E0%25A4%25A?a=%"],
    ["/%00", "/%00"],
    ["/a%20b?q=%ff", "/a%20b?q=%ff"],
  ] as const)
    expect(repairUrl(url), url).toBe(repaired);
});
