import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { createBareProgram } from "#tests/factories/click-once.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import {
  sendOperations,
  listSpooledFiles,
  uploadBase64,
  uploadGraphql,
  uploadMultipart,
  useOwnTemporaryFolder,
} from "#tests/factories/software-upload.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
useOwnTemporaryFolder(app);
const admin = await signInAs(app, await createAdmin(app));
const customer = await signInAs(app, await createUser(app));
const setup = { installationFile: { name: "setup.exe", content: createBareProgram() } };
const UPLOAD_PATH = "/v1/software/upload";

afterEach(async () => {
  await vi.waitFor(() => expect(listSpooledFiles(app)).toEqual([]));
  expect(await listStoredKeys(app.services.files)).toEqual([]);
  expect(await app.context().em.count(SoftwareBuild)).toBe(0);
});

/** Sends the headers and the first part of a body, and returns the status of the response, or null if there was none. */
function sendPart(
  path: string,
  headers: Record<string, string | number>,
  body: string | Buffer,
): Promise<number | null> {
  return new Promise((resolve) => {
    const sent = request(app.url + path, { method: "POST", headers }, (response) => {
      resolve(response.statusCode ?? null);
      sent.destroy();
    });
    sent.on("error", () => resolve(null));
    sent.write(body);
  });
}

const multipart = { "content-type": "multipart/form-data; boundary=b", "content-length": 80_000_000 };

test.each([
  ["/graphql", null, 401],
  [UPLOAD_PATH, null, 401],
  ["/graphql", customer, 403],
  [UPLOAD_PATH, customer, 403],
])("checks the caller of %s (%#)", async (path, token, status) => {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  expect(await sendPart(path, { ...multipart, ...authorization }, "--b\r\n")).toBe(status);
});

test.each([
  ["/graphql", 90_000_000],
  [UPLOAD_PATH, 120_000_000],
])("rejects a body to %s by its stated size, and reads a visitor's to its end", async (path, limit) => {
  const headers = { ...multipart, authorization: `Bearer ${admin}`, "content-length": limit + 1 };
  expect(await sendPart(path, headers, "--b\r\n")).toBe(413);
  for (const [length, connection] of [
    [limit, "keep-alive"],
    [limit + 1, "close"],
  ] as const) {
    const sent = request(app.url + path, { method: "POST", headers: { ...multipart, "content-length": length } });
    sent.on("error", () => {}).write("--b\r\n");
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    expect([answer.statusCode, answer.headers.connection]).toEqual([401, connection]);
    sent.destroy();
  }
});

test("returns 401 or 403 to unauthorised callers even while they send a large file", async () => {
  const large = { installationFile: { name: "setup.exe", content: createBareProgram(20_000_000) } };
  expect((await uploadMultipart(app, null, { softwareStage: "3" }, large)).status).toBe(401);
  expect((await uploadBase64(app, customer, { softwareStage: 3 }, large)).status).toBe(403);
  expect((await uploadGraphql(app, customer, { softwareStage: 3 }, large)).status).toBe(403);
});

test("rejects other multipart requests from customers", async () => {
  for (const [token, code] of [
    [null, "UNAUTHENTICATED"],
    [customer, "FORBIDDEN"],
  ] as const) {
    const { json } = await sendOperations(app, token, { query: "{ me { id } }" }, {});
    expect(json.errors[0].extensions.code).toBe(code);
  }
});

const stage = "Software stage is required.";
const installer = "Installation file is required.";

test("names all missing fields in multipart and JSON requests", async () => {
  const both = { softwareStage: [stage], installationFile: [installer] };
  for (const answer of [
    await uploadMultipart(app, admin, { version: "", softwareStage: "" }, {}),
    await uploadBase64(app, admin, {}, {}),
    await app.rest("POST", UPLOAD_PATH, { token: admin, body: { installationFile: null } }),
  ])
    expect([answer.status, answer.json]).toEqual([400, both]);
  expect((await uploadMultipart(app, admin, { softwareStage: "3" }, {})).json).toEqual({
    installationFile: [installer],
  });
  expect((await uploadMultipart(app, admin, {}, setup)).json).toEqual({ softwareStage: [stage] });
  expect((await uploadMultipart(app, admin, { softwareStage: "9" }, setup)).json).toEqual({
    softwareStage: ["Software stage must be one of 4, 2, 3, 1, 5, 6."],
  });
});

test("reports an invalid stage to GraphQL without waiting for the files", async () => {
  const { json } = await uploadGraphql(app, admin, { softwareStage: 9 }, setup);
  expect(json.errors[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(json.errors[0].message).toContain("softwareStage");
});

const withFile = (file: string) => `{"softwareStage":3,"installationFile":${file}}`;
const notPlain = "Must be a JSON object of plain values.";
const notBase64 = "The file must be sent as base64 or as a data URL.";
const twice = "Only one file can be uploaded here.";

test.each([
  ["a syntax error", "{", { body: ["Must be valid JSON."] }],
  ["a list", "[]", { body: [notPlain] }],
  ["a file within an object", withFile('{"data":"TVo="}'), { body: [notPlain] }],
  ["a file as a number", withFile("5"), { installationFile: ["File type is not supported."] }],
  ["invalid base64", withFile('"TVo=%%%%"'), { installationFile: [notBase64] }],
  ["the same file twice", withFile('"TVpa","installationFile":"TVpa"'), { installationFile: [twice] }],
  ["text after the end", `${withFile('"TVpa"')} x`, { body: ["Must be valid JSON."] }],
  [
    "too many fields",
    `{${Array.from({ length: 21 }, (_, index) => `"${index % 2}":1`).join(",")}}`,
    { body: ["Must have at most 20 fields."] },
  ],
  ["a long text", `{"softwareStage":3,"version":"${"1".repeat(20_000)}"}`, { body: ["A field is too long."] }],
])("rejects JSON with %s", async (_what, body, expected) => {
  const answer = await app.rest("POST", UPLOAD_PATH, { token: admin, body });
  expect([answer.status, answer.json]).toEqual([400, expected]);
});

test("rejects other content types with 415 and a missing boundary with 400", async () => {
  const send = (type: string) =>
    app.rest("POST", UPLOAD_PATH, { token: admin, body: "x", headers: { "content-type": type } });
  expect((await send("text/plain")).status).toBe(415);
  expect((await send("multipart/form-data")).json).toEqual({
    body: ["Must be multipart/form-data with a boundary."],
  });
});

test("rejects additional files", async () => {
  const form = new FormData();
  form.set("softwareStage", "3");
  for (const name of ["installationFile", "installationFile"]) form.append(name, new Blob(["MZ"]), "setup.exe");
  const send = async () => {
    const answer = await fetch(app.url + UPLOAD_PATH, {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${admin}` },
    });
    return [answer.status, await answer.json()];
  };
  expect(await send()).toEqual([400, { installationFile: [twice] }]);
  for (const name of ["other", "another"]) form.append(name, new Blob(["MZ"]), "setup.exe");
  expect((await send())[0]).toBe(413);
});

const query = `mutation ($installationFile: Upload!) { uploadSoftware(input: { softwareStage: 3 }, installationFile: $installationFile) { id } }`;

test("GraphQL multipart requests are rejected without the preflight header", async () => {
  const { status, json } = await sendOperations(app, admin, { query }, setup, {});
  expect(status).toBe(400);
  expect(json.errors[0].message).toMatch(/CSRF/);
});

test.each([
  ["a batch", [{ query }], {}],
  ["a map that puts the file into the query", { query: null }, { map: '{"installationFile":["query"]}' }],
  ["a map without paths", { query, variables: {} }, { map: '{"installationFile":"variables.installationFile"}' }],
  ["a map before the operation", { query }, { mapFirst: true }],
  ["an operation of more than 50,000 characters", { query: `${query}${" ".repeat(50_000)}` }, {}],
  ["a file that is never sent", { query, variables: {} }, { map: '{"absent":["variables.installationFile"]}' }],
  ["a document that is too deep", { query: `{ ${"a { ".repeat(20)} b ${"}".repeat(20)} }` }, {}],
  ["an upload as text", { query, variables: { installationFile: "MZ" } }, { map: "{}" }],
  ["four files", { query }, { map: '{"a":[],"b":[],"c":[],"d":[]}' }],
])(
  "GraphQL multipart requests with %s are rejected with a client error",
  async (_what, operations, { map, mapFirst }: { map?: string; mapFirst?: boolean }) => {
    const form = new FormData();
    const parts: [string, string][] = [
      ["operations", JSON.stringify(operations)],
      ["map", map ?? '{"installationFile":["variables.installationFile"]}'],
    ];
    for (const [name, value] of mapFirst ? parts.reverse() : parts) form.set(name, value);
    form.set("installationFile", new Blob(["MZ"]), "setup.exe");
    const answer = await fetch(`${app.url}/graphql`, {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${admin}`, "apollo-require-preflight": "true" },
    });
    const { errors } = (await answer.json()) as { errors: { message: string; extensions: { code: string } }[] };
    expect([400, 413]).toContain(answer.status);
    expect(["BAD_USER_INPUT", "PAYLOAD_TOO_LARGE"]).toContain(errors[0]?.extensions.code);
  },
);

test("GraphQL multipart requests are required for an upload: plain JSON without a file is rejected", async () => {
  const { errors } = await app.graphql(query, { installationFile: {} }, admin);
  expect(errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
});
