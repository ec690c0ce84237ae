import { buildSchema, graphql } from "graphql";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createApp } from "#api/app.ts";
import { createBoss } from "#api/platform/job-queues.ts";
import { loggedError } from "#api/platform/log.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

test("a failed statement is logged with its constraint and without its values", async () => {
  const twin = { email: "secret-address@example.com" };
  await createUser(app, twin);
  const fault = await createUser(app, twin).then(
    () => null,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(Error);
  const logged = loggedError(fault);
  expect(logged).toMatchObject({ code: "23505", constraint: "users_sign_in_email_unique" });
  expect(logged.stack).toContain("at ");
  expect(JSON.stringify(logged)).not.toMatch(/secret-address|argon2|insert into/i);
});

test("a value in PostgreSQL's sentence is not logged", async () => {
  const fault = await app.services.pool.query("select $1::text::uuid", ["secret-value"]).then(
    () => null,
    (error: unknown) => error,
  );
  expect(JSON.stringify(loggedError(fault))).not.toContain("secret-value");
});

/** What pg-boss emits in place of an error: its own properties, message and stack. */
const copyOf = (fault: Error & { code: string }) => ({
  name: fault.name,
  code: fault.code,
  message: fault.message,
  stack: fault.stack,
});

describe("a thrown value that is no error", () => {
  test("keeps what a copy of an error says, as the job queue hands them out", () => {
    const fault = Object.assign(new Error('could not extend file "secret-value"'), { code: "53100", name: "error" });
    const copy = { ...copyOf(fault), queue: "sweeps", detail: "secret-value" };
    const logged = loggedError(copy);
    expect(logged).toMatchObject({
      type: "error",
      code: "53100",
      message: expect.stringContaining("could not extend"),
    });
    expect(logged.stack).toContain("log.api.test.ts");
  });

  test.each([
    ["a text", "went wrong", { type: "string", message: "went wrong" }],
    ["undefined", undefined, { type: "undefined", message: "A value was thrown instead of an error: undefined" }],
    ["null", null, { type: "null", message: "A value was thrown instead of an error: null" }],
    ["a number", 7, { type: "number", message: "A value was thrown instead of an error: 7" }],
    [
      "an object",
      { password: "secret-value" },
      { type: "object", message: "An object was thrown instead of an error; keys: password" },
    ],
  ])("is described where it is %s, without values of objects", (_name, value, described) => {
    const logged = loggedError(value);
    expect(logged).toMatchObject(described);
    expect(logged.stack).toContain("at ");
    expect(JSON.stringify(logged)).not.toContain("secret-value");
  });

  test("is described where graphql-js wrapped it", async () => {
    const schema = buildSchema("type Query { hello: String }");
    const { errors } = await graphql({
      schema,
      source: "{ hello }",
      rootValue: {
        hello: () => {
          // oxlint-disable-next-line typescript/only-throw-error -- what other people's code does
          throw { password: "secret-value" };
        },
      },
    });
    expect(loggedError(errors?.[0]?.originalError)).toMatchObject({
      message: "An object was thrown instead of an error; keys: password",
    });
  });
});

test("the errors that an AggregateError collects are logged with it", () => {
  const fault = new AggregateError(
    [Object.assign(new Error("could not extend file"), { code: "53100" }), "went wrong"],
    "Some of the due work failed.",
  );
  expect(loggedError(fault)).toMatchObject({
    type: "AggregateError",
    message: "Some of the due work failed.",
    errors: [{ type: "Error", message: "could not extend file", code: "53100" }, { message: "went wrong" }],
  });
});

test("a value thrown by a route is answered with 500 and logged as an error", async () => {
  const lines: string[] = [];
  const log = pino({ level: "error", serializers: { err: loggedError } }, { write: (line) => void lines.push(line) });
  const server = await createApp({ ...app.services, log });
  server.get("/throws/:what", async (request) => {
    const thrown = (request.params as { what: string }).what === "nothing" ? undefined : "went wrong";
    // oxlint-disable-next-line typescript/only-throw-error -- what other people's code does
    throw thrown;
  });
  try {
    for (const what of ["text", "nothing"]) {
      const answer = await server.inject(`/throws/${what}`);
      expect([answer.statusCode, answer.json()]).toMatchObject([500, { Message: "Oops, something went wrong." }]);
    }
    expect(lines.map((line) => JSON.parse(line).err)).toMatchObject([
      { type: "string", message: "went wrong" },
      { type: "null", message: "A value was thrown instead of an error: null" },
    ]);
  } finally {
    await server.close();
  }
});

test("a job queue that fails is logged with the error's type, message, code and stack", async () => {
  const lines: string[] = [];
  const log = pino({ level: "warn", serializers: { err: loggedError } }, { write: (line) => void lines.push(line) });
  const boss = createBoss(app.services.pool, log, false);
  const fault = Object.assign(new Error("division by zero"), { code: "22012", name: "error" });
  // As pg-boss emits failures of its workers.
  boss.emit("error", copyOf(fault) as Error);
  expect(JSON.parse(lines[0] ?? "{}")).toMatchObject({
    err: { type: "error", message: "division by zero", code: "22012", stack: expect.stringContaining("at ") },
    msg: "job queue",
  });
});
