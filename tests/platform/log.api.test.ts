import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { buildSchema, graphql } from "graphql";
import { describe, expect, test } from "vitest";
import { createApp } from "#api/app.ts";
import { createBoss } from "#api/platform/jobs/job-queues.ts";
import { toLoggedError } from "#api/platform/observe/log.ts";
import { createUser } from "#tests/factories/user.ts";
import { recordLog } from "#tests/support/record-log.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();

test("logs a failed statement with its constraint but without its values", async () => {
  const twin = { email: "secret-address@example.com" };
  await createUser(app, twin);
  const fault = await createUser(app, twin).then(
    () => null,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(Error);
  const logged = toLoggedError(fault);
  expect(logged).toMatchObject({ code: "23505", constraint: "users_sign_in_email_unique" });
  expect(logged.stack).toContain("at ");
  expect(JSON.stringify(logged)).not.toMatch(/secret-address|argon2|insert into/i);
});

test("doesn't log values from PostgreSQL's error messages", async () => {
  const fault = await app.services.pool.query("select $1::text::uuid", ["secret-value"]).then(
    () => null,
    (error: unknown) => error,
  );
  expect(JSON.stringify(toLoggedError(fault))).not.toContain("secret-value");
});

/** Copies an error the way pg-boss does: a plain object with its properties, message and stack. */
const copyError = (fault: Error & { code: string }) => ({
  name: fault.name,
  code: fault.code,
  message: fault.message,
  stack: fault.stack,
});

describe("thrown values other than errors", () => {
  test("are logged like errors if they are copies of errors from the job queue", () => {
    const fault = Object.assign(new Error('could not extend file "secret-value"'), { code: "53100", name: "error" });
    const copy = { ...copyError(fault), queue: "sweeps", detail: "secret-value" };
    const logged = toLoggedError(copy);
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
  ])("are described without the values of objects: %s", (_name, value, described) => {
    const logged = toLoggedError(value);
    expect(logged).toMatchObject(described);
    expect(logged.stack).toContain("at ");
    expect(JSON.stringify(logged)).not.toContain("secret-value");
  });

  test("are described if graphql-js wrapped them", async () => {
    const schema = buildSchema("type Query { hello: String }");
    const { errors } = await graphql({
      schema,
      source: "{ hello }",
      rootValue: {
        hello: () => {
          // oxlint-disable-next-line typescript/only-throw-error -- third-party code may throw such values
          throw { password: "secret-value" };
        },
      },
    });
    expect(toLoggedError(errors?.[0]?.originalError)).toMatchObject({
      message: "An object was thrown instead of an error; keys: password",
    });
  });
});

test("logs the errors of an AggregateError", () => {
  const fault = new AggregateError(
    [Object.assign(new Error("could not extend file"), { code: "53100" }), "went wrong"],
    "Some sweeps failed.",
  );
  expect(toLoggedError(fault)).toMatchObject({
    type: "AggregateError",
    message: "Some sweeps failed.",
    errors: [{ type: "Error", message: "could not extend file", code: "53100" }, { message: "went wrong" }],
  });
});

test("returns 500 for a value thrown by a route and logs it as an error", async () => {
  const { log, lines } = recordLog("error");
  const server = await createApp({ ...app.services, log });
  server.get("/throws/:what", async (request) => {
    const thrown = (request.params as { what: string }).what === "nothing" ? undefined : "went wrong";
    // oxlint-disable-next-line typescript/only-throw-error -- third-party code may throw such values
    throw thrown;
  });
  try {
    for (const what of ["text", "nothing"]) {
      const answer = await server.inject(`/throws/${what}`);
      expect([answer.statusCode, answer.json()]).toMatchObject([500, { Message: "Oops, something went wrong." }]);
    }
    expect(lines.map(({ err }) => err)).toMatchObject([
      { type: "string", message: "went wrong" },
      { type: "null", message: "A value was thrown instead of an error: null" },
    ]);
  } finally {
    await server.close();
  }
});

test("logs errors from the job queue with their type, message, code and stack", async () => {
  const { log, lines } = recordLog("warn");
  const boss = createBoss(app.services.pool, log, false);
  const fault = Object.assign(new Error("division by zero"), { code: "22012", name: "error" });
  // pg-boss emits failures of its workers this way.
  boss.emit("error", copyError(fault) as Error);
  expect(lines[0]).toMatchObject({
    err: { type: "error", message: "division by zero", code: "22012", stack: expect.stringContaining("at ") },
    msg: "job queue failed",
  });
});

/** Runs a program that logs, with its output in a pipe or a file. */
function runProgram(code: string, stdout: "pipe" | number = "pipe") {
  const options = ["--import", "./scripts/typescript.mjs", "--input-type=module", "--eval"];
  const program = `import { createLog } from "#api/platform/observe/log.ts"; const log = createLog({ logLevel: "info" }); ${code}`;
  const stdio = ["ignore", stdout, "pipe"] as const;
  return spawnSync(process.execPath, [...options, program], { stdio: [...stdio], encoding: "utf8", timeout: 60_000 });
}

test.each([
  ["exits", "process.exit(3)"],
  ["fails", 'throw new Error("stopped")'],
])("writes the last lines of a process that %s", (_how, end) => {
  expect(runProgram(`log.info("last line"); ${end};`).stdout).toContain('"msg":"last line"');
});

test("doesn't stop the process, or keep it from ending, while the disk of the log is full", () => {
  const code = `
    for (let round = 0; round < 3; round++) {
      log.info("lost line");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    process.exitCode = 7;
    process.exit();`;
  const full = openSync("/dev/full", "w");
  const { status, stderr } = runProgram(code, full);
  closeSync(full);
  expect([status, stderr]).toEqual([7, ""]);
});
