import { createHash } from "node:crypto";
import { parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { knownOperations, refuseUnknown } from "#api/app/graphql-operations.ts";
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

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const persisted = (sha256Hash: unknown, version = 1) => ({ extensions: { persistedQuery: { version, sha256Hash } } });

/** The text of one of the portal's operations, as Apollo Client sends it. */
function portals(name: string): string {
  const text = Object.values(operations).find((one) => new RegExp(`^\\w+ ${name}\\b`).test(one));
  if (!text) throw new Error(`The portal has no operation ${name}.`);
  return text;
}

const ask = (body: unknown, as?: string) => app.rest("POST", "/graphql", { body, ...(as ? { token: as } : {}) });

describe("the manifest", () => {
  test("names every text by its SHA-256, of former releases too", () => {
    for (const [hash, text] of knownOperations) expect(hashOf(text)).toBe(hash);
  });

  test.each([...knownOperations.values()].map((text) => [text.slice(0, text.indexOf("{")).trim(), text]))(
    "%s fits the schema",
    (_name, text) => {
      expect(validate(schema, parse(text))).toEqual([]);
    },
  );
});

describe("an operation asked for by its hash", () => {
  const text = portals("Sessions");

  test("is answered as its text is, again and again", async () => {
    const byText = await ask({ query: text }, token);
    expect(byText.json.data.me.sessions).toHaveLength(1);
    for (let n = 0; n < 2; n++) {
      const byHash = await ask(persisted(hashOf(text)), token);
      expect(byHash.status).toBe(200);
      expect(byHash.json.data.me.sessions[0].id).toBe(byText.json.data.me.sessions[0].id);
    }
  });

  test("is asked with the rights of whoever asks", async () => {
    expect((await ask(persisted(hashOf(text)))).json.errors[0].extensions.code).toBe("UNAUTHENTICATED");
    const users = { ...persisted(hashOf(portals("Users"))), variables: { filter: {} } };
    expect((await ask(users, token)).json.errors[0].extensions.code).toBe("FORBIDDEN");
    expect((await ask(users, adminToken)).json.data.users.total).toBeGreaterThan(0);
  });

  test("takes files too", async () => {
    const operation = {
      ...persisted(hashOf(portals("UploadSoftware"))),
      variables: { input: { softwareStage: 9, version: "1.0" } },
    };
    const file = { name: "setup.exe", content: Buffer.from("MZ") };
    const { json } = await sendOperations(app, adminToken, operation, { installationFile: file });
    // The operation was found, and its own rules speak.
    expect(json.errors[0].extensions.fields).toHaveProperty("softwareStage");
  });

  test("that nobody knows is refused with a reason, and never learnt", async () => {
    const query = "{ me { id } }";
    for (const body of [persisted(hashOf(query)), persisted("x"), persisted({}), persisted("__proto__")]) {
      const { status, json } = await ask(body, token);
      expect(status).toBe(400);
      expect(json.errors).toEqual([
        {
          message: "PersistedQueryNotFound",
          extensions: { code: "BAD_USER_INPUT", reason: "PERSISTED_QUERY_NOT_FOUND" },
        },
      ]);
      // Text and hash together are how other servers learn.
      expect((await ask({ query, ...persisted(hashOf(query)) }, token)).json.data.me.id).toBe(customer.id);
    }
  });

  test("whose text is another one's, or whose version is unknown, is refused", async () => {
    for (const body of [{ query: "{ me { email } }", ...persisted(hashOf(text)) }, persisted(hashOf(text), 2)]) {
      const { status, json } = await ask(body, token);
      expect({ status, code: json.errors[0].extensions.code }).toEqual({ status: 400, code: "BAD_USER_INPUT" });
    }
  });
});

describe("where only known operations are let in", async () => {
  const closed = await startTestApp({ graphqlOperations: "known" });
  const closedCustomer = await signInAs(closed, await createUser(closed));
  const closedAdmin = await signInAs(closed, await createAdmin(closed));
  const answerTo = async (body: unknown, as?: string) => {
    const { status, json } = await closed.rest("POST", "/graphql", { body, ...(as ? { token: as } : {}) });
    return { status, data: json.data, error: json.errors?.[0] };
  };
  const refused = {
    status: 400,
    error: { extensions: { code: "BAD_USER_INPUT", reason: "OPERATION_NOT_KNOWN" } },
  };

  test("the portal's own are answered, by hash and by text", async () => {
    for (const body of [persisted(hashOf(portals("Sessions"))), { query: portals("Sessions") }])
      expect((await answerTo(body, closedCustomer)).data.me.sessions).toHaveLength(1);
  });

  test("anything else is refused to visitors and customers, whether or not it is GraphQL, or comes by GET", async () => {
    for (const query of ["{ me { id } }", `${portals("Sessions")} `, "{{{", ""])
      for (const as of [undefined, closedCustomer]) expect(await answerTo({ query }, as)).toMatchObject(refused);
    const byGet = await closed.rest("GET", `/graphql?query=${encodeURIComponent("{ me { id } }")}`, {
      token: closedCustomer,
      headers: { "apollo-require-preflight": "true" },
    });
    expect({ status: byGet.status, error: byGet.json.errors[0] }).toMatchObject(refused);
  });

  test("an unknown hash is refused as everywhere, also with an unknown text", async () => {
    const unknown = persisted(hashOf("{ me { id } }"));
    expect((await answerTo(unknown, closedCustomer)).error.extensions.reason).toBe("PERSISTED_QUERY_NOT_FOUND");
    expect(await answerTo({ ...unknown, query: "{ me { id } }" }, closedCustomer)).toMatchObject(refused);
  });

  test("an admin's session may ask anything", async () => {
    expect((await answerTo({ query: "{ me { memberType } }" }, closedAdmin)).data.me.memberType).toBe(3);
  });

  test("so may a personal access token, and neither a view as a customer nor an admin who must set up two-step sign-in", () => {
    const actor: Actor = { userId: customer.id, sessionId: customer.id, role: "regular" };
    const attempt = (as: object) => () => refuseUnknown("known", "{ me { id } }", as as Actor);
    expect(attempt({ ...actor, token: { id: "t", scopes: [] } })).not.toThrow();
    expect(attempt({ ...actor, role: "admin" })).not.toThrow();
    expect(attempt({ ...actor, viewerId: customer.id })).toThrow();
    expect(attempt({ ...actor, role: "admin", mustSetUpTwoStep: true })).toThrow();
  });
});
