import { createHash } from "node:crypto";
import { parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { knownOperations, rejectUnknownOperation } from "#api/app/graphql-operations.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import type { Actor } from "#api/platform/context.ts";
import operations from "#schema/operations.json" with { type: "json" };
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { sendOperations } from "#tests/factories/software-upload.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();
const customer = await createUser(app);
const token = await signInAs(app, customer);
const adminToken = await signInAs(app, await createAdmin(app));

const getHash = (text: string) => createHash("sha256").update(text).digest("hex");
const persisted = (sha256Hash: unknown, version = 1) => ({ extensions: { persistedQuery: { version, sha256Hash } } });

/** Returns the text of a portal operation as Apollo Client sends it. */
function getPortalOperation(name: string): string {
  const text = Object.values(operations).find((one) => new RegExp(`^\\w+ ${name}\\b`).test(one));
  if (!text) throw new Error(`The portal has no operation ${name}.`);
  return text;
}

const send = (body: unknown, as?: string) => app.rest("POST", "/graphql", { body, token: as });

test("the manifest identifies every operation by its SHA-256, including operations of earlier releases", () => {
  for (const [hash, text] of knownOperations) expect(getHash(text)).toBe(hash);
});

const named = Array.from(knownOperations.values(), (text) => [text.slice(0, text.indexOf("{")).trim(), text] as const);
test.each(named)("the manifest has %s, which is valid in the schema", (_name, text) => {
  expect(validate(schema, parse(text))).toEqual([]);
});

describe("an operation sent by its hash", () => {
  const text = getPortalOperation("Sessions");

  test("returns the same result as its text, repeatedly", async () => {
    const byText = await send({ query: text }, token);
    expect(byText.json.data.me.sessions).toHaveLength(1);
    for (let n = 0; n < 2; n++) {
      const byHash = await send(persisted(getHash(text)), token);
      expect(byHash.status).toBe(200);
      expect(byHash.json.data.me.sessions[0].id).toBe(byText.json.data.me.sessions[0].id);
    }
  });

  test("runs with the permissions of the caller", async () => {
    expect((await send(persisted(getHash(text)))).json.errors[0].extensions.code).toBe("UNAUTHENTICATED");
    const variables = { filter: {}, first: 20, offset: 0, fromEnd: false };
    const users = { ...persisted(getHash(getPortalOperation("Users"))), variables };
    expect((await send(users, token)).json.errors[0].extensions.code).toBe("FORBIDDEN");
    expect((await send(users, adminToken)).json.data.users.total).toBeGreaterThan(0);
  });

  test("accepts file uploads", async () => {
    const variables = { input: { softwareStage: "BETA", version: "one" } };
    const operation = { ...persisted(getHash(getPortalOperation("UploadSoftware"))), variables };
    const file = { name: "setup.exe", content: Buffer.from("MZ") };
    const { json } = await sendOperations(app, adminToken, operation, { installationFile: file });
    // The operation was found and its own validation ran.
    expect(json.errors[0].extensions.fields).toHaveProperty("version");
  });

  test("is rejected with a reason if the hash is unknown, and is never registered", async () => {
    const query = "{ me { id } }";
    for (const body of [persisted(getHash(query)), persisted("x"), persisted({}), persisted("__proto__")]) {
      const { status, json } = await send(body, token);
      expect(status).toBe(400);
      const extensions = { code: "BAD_USER_INPUT", reason: "PERSISTED_QUERY_NOT_FOUND" };
      expect(json.errors).toEqual([{ message: "PersistedQueryNotSupported", extensions }]);
      // Other servers register an operation that arrives with both text and hash.
      expect((await send({ query, ...persisted(getHash(query)) }, token)).json.data.me.id).toBe(customer.id);
    }
  });

  test("is rejected if the text doesn't match or the version is unknown", async () => {
    for (const body of [{ query: "{ me { email } }", ...persisted(getHash(text)) }, persisted(getHash(text), 2)]) {
      const { status, json } = await send(body, token);
      expect({ status, code: json.errors[0].extensions.code }).toEqual({ status: 400, code: "BAD_USER_INPUT" });
    }
  });
});

describe("a server that accepts only known operations", async () => {
  const closed = await startTestApp({ graphqlOperations: "known" });
  const closedCustomer = await signInAs(closed, await createUser(closed));
  const closedAdmin = await signInAs(closed, await createAdmin(closed));
  const sendToClosed = async (body: unknown, as?: string) => {
    const { status, json } = await closed.rest("POST", "/graphql", { body, token: as });
    return { status, data: json.data, error: json.errors?.[0] };
  };
  const refused = { status: 400, error: { extensions: { code: "BAD_USER_INPUT", reason: "OPERATION_NOT_KNOWN" } } };

  test("runs portal operations by hash and by text", async () => {
    for (const body of [persisted(getHash(getPortalOperation("Sessions"))), { query: getPortalOperation("Sessions") }])
      expect((await sendToClosed(body, closedCustomer)).data.me.sessions).toHaveLength(1);
  });

  test("rejects other documents and hashes of visitors and customers, including invalid ones and GET requests", async () => {
    for (const query of ["{ me { id } }", `${getPortalOperation("Sessions")} `, "{{{", ""])
      for (const as of [undefined, closedCustomer]) expect(await sendToClosed({ query }, as)).toMatchObject(refused);
    const options = { token: closedCustomer, headers: { "apollo-require-preflight": "true" } };
    const byGet = await closed.rest("GET", `/graphql?query=${encodeURIComponent("{ me { id } }")}`, options);
    expect({ status: byGet.status, error: byGet.json.errors[0] }).toMatchObject(refused);
    const unknown = persisted(getHash("{ me { id } }"));
    expect((await sendToClosed(unknown, closedCustomer)).error.extensions.reason).toBe("PERSISTED_QUERY_NOT_FOUND");
    expect(await sendToClosed({ ...unknown, query: "{ me { id } }" }, closedCustomer)).toMatchObject(refused);
  });

  test("accepts any document in an admin session", async () => {
    expect((await sendToClosed({ query: "{ me { memberType } }" }, closedAdmin)).data.me.memberType).toBe("ADMIN");
  });

  test("accepts personal access tokens but not views as a customer or admins who must set up two-step sign-in", () => {
    const actor: Actor = { userId: customer.id, sessionId: customer.id, role: "regular" };
    const attempt = (as: object) => () => rejectUnknownOperation("known", "{ me { id } }", as as Actor);
    expect(attempt({ ...actor, token: { id: "t", scopes: [] } })).not.toThrow();
    expect(attempt({ ...actor, role: "admin" })).not.toThrow();
    expect(attempt({ ...actor, viewerId: customer.id })).toThrow();
    expect(attempt({ ...actor, role: "admin", mustSetUpTwoStep: true })).toThrow();
  });
});
