import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { cleanHeaders } from "#api/app/clean-headers.ts";
import { routes } from "#api/v1/routes.ts";
import { chooseEncoding } from "#api/platform/http/cached-text.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ publicUrl: "https://portal.test" });
const user = await createUser(app);
const token = await signInAs(app, user);

/** Sends a request as raw lines and returns the status. `fetch` can't send two hosts. */
function sendRaw(...lines: string[]): Promise<number> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${["GET /health/live HTTP/1.1", ...lines, "connection: close"].join("\r\n")}\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (part) => (text += part));
    socket.on("end", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
    socket.on("error", reject);
  });
}

test("refuses two hosts, and outside production every host but this machine and PUBLIC_URL", async () => {
  for (const host of ["localhost", "127.0.0.1:4000", "[::1]:4000", "portal.test", "LOCALHOST"])
    expect([host, await sendRaw(`host: ${host}`)]).toEqual([host, 200]);
  for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.nip.example", "portal.test.evil.example"])
    expect([host, await sendRaw(`host: ${host}`)]).toEqual([host, 400]);
  expect(await sendRaw("host: localhost", "host: localhost")).toBe(400);
});

test("cuts long headers before anything parses them, and chooses an encoding from what is left", async () => {
  const fastify = Fastify();
  cleanHeaders(fastify, app.services.config);
  fastify.get("/", ({ headers }) =>
    [headers["accept-encoding"], headers["user-agent"]].map((one) => String(one).length),
  );
  const headers = { "accept-encoding": "gzip;q=0,".repeat(1_500), "user-agent": "Version/1".repeat(1_600) };
  expect((await fastify.inject({ url: "/", headers })).json()).toEqual([200, 500]);
});

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip;q=1.0, BR;q=0", "gzip"],
  ["br; q=0.000,gzip ; q=0.5", "gzip"],
  ["brotli, xgzip", undefined],
  ["*", undefined],
])("chooses an encoding for %s", (accepted, encoding) => {
  expect(chooseEncoding({ headers: { "accept-encoding": accepted } })).toBe(encoding);
});

test("refuses a compressed body by its encoding", async () => {
  const post = (encoding: string) =>
    fetch(`${app.url}/v1/core/auth/token`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": encoding },
      body: encoding === "gzip" ? gzipSync("{}") : "{}",
    });
  expect((await post("gzip")).status).toBe(415);
  expect((await post("identity")).status).toBe(400);
});

test("serves the contact for security reports, and leads password managers to the form", async () => {
  const { headers, text } = await app.rest("GET", "/.well-known/security.txt");
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(text).toContain(`Contact: mailto:${brand.mailboxes.support.email}\n`);
  expect(Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? "")).toBeGreaterThan(app.clock.now().getTime());
  expect(text).toContain("Canonical: https://portal.test/.well-known/security.txt\n");
  const password = await app.rest("GET", "/.well-known/change-password");
  expect([password.status, password.headers.get("location")]).toEqual([302, "/change-password/"]);
});

test("lets clients keep the public keys, and no answers of calls, also of a URL with escapes and of an unknown one", async () => {
  for (const path of ["/v1/plans", "/%76%31/plans", "/V1/plans/", "/v1/unknown"])
    expect([path, (await app.rest("GET", path)).headers.get("cache-control")]).toEqual([path, "no-store"]);
  for (const path of ["/v1/licence/signing-keys", "/v1/licence/sandbox/signing-keys", "/v1/software/release-keys"])
    expect((await app.rest("GET", path)).headers.get("cache-control")).toBe("public, max-age=300");
});

const get = routes.filter(({ method }) => method === "GET");
const safe = get.filter(({ operation, isExport }) => !isExport && !operation.startsWith("Mutation."));

test("answers HEAD like GET, without a body, for every call that only reads, and refuses it for others", async () => {
  for (const { url } of safe) {
    const path = `${url.replace(/:\w+/, user.id)}?stage=4&version=0`;
    const [head, whole] = [await app.rest("HEAD", path, { token }), await app.rest("GET", path, { token })];
    expect([head.status, head.text], path).toEqual([whole.status, ""]);
  }
  const urls = get.filter((route) => !safe.includes(route)).map(({ url }) => url);
  expect(urls).toEqual(expect.arrayContaining(["/v1/admin/bulk-runs/:id/result", "/v1/core/accounts/my-data"]));
  for (const url of urls) {
    const { status, headers } = await app.rest("HEAD", url.replace(/:\w+/, user.id), { token });
    expect([status, headers.get("allow")], url).toEqual([405, expect.stringMatching(/^(?:POST, )?GET, OPTIONS$/)]);
  }
});

test("answers HEAD of a GraphQL query like GET", async () => {
  const path = "/graphql?query=%7B__typename%7D";
  const headers = { "apollo-require-preflight": "true" };
  const [head, whole] = [await app.rest("HEAD", path, { headers }), await app.rest("GET", path, { headers })];
  expect([head.status, head.text]).toEqual([whole.status, ""]);
  expect(whole.json).toEqual({ data: { __typename: "Query" } });
});

test("returns 404 in JSON for an unknown path under /v1 with any method", async () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    const answer = await app.rest(method, "/v1/nothing/here");
    expect([answer.status, answer.json]).toEqual([404, "Sorry, we could not find what you asked for."]);
  }
  const unreadable = await app.rest("GET", "/v1/%zz");
  expect([unreadable.status, unreadable.headers.get("x-content-type-options")]).toEqual([404, "nosniff"]);
  expect(JSON.stringify(unreadable.json)).not.toContain("%zz");
});

test("sends security headers and a request id", async () => {
  const { headers } = await app.rest("GET", "/v1/licence/signing-keys");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("access-control-allow-origin")).toBeNull();
});
