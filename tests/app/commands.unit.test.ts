import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { CommanderError } from "commander";
import { expect, test, vi } from "vitest";
import { makeFolder } from "#api/platform/files/make-folder.ts";
import { describeFailure } from "#api/app/commands/describe-failure.ts";
import { buildProgram } from "#api/app/commands/program.ts";
import { AppError } from "#api/platform/errors.ts";

const host = { serve: vi.fn(async () => {}), loadDevClock: async () => {} };
const program = buildProgram("portal", host);
const all = program.commands.flatMap((command) => [command, ...command.commands]);

test("describes every command and option, and operations.md lists the commands", () => {
  const page = readFileSync("docs/operations.md", "utf8");
  for (const command of program.commands) expect(page).toContain(`| \`${command.name()}`);
  expect(all.length).toBeGreaterThan(12);
  for (const command of all) {
    expect(command.description(), command.name()).not.toBe("");
    for (const option of command.options) expect(option.description, option.flags).not.toBe("");
  }
});

test("prints its usage with --help", async () => {
  const { code, output } = await parse(["create-admin", "--help"]);
  expect([code, output]).toEqual([0, expect.stringContaining("Usage: portal create-admin [options]")]);
  for (const option of ["--email <address>", "--promote", "--json"]) expect(output).toContain(option);
});

test.each([
  [["create-admni"], "Unknown command 'create-admni'\n(Did you mean create-admin?)"],
  [["migrate", "--jsno"], "Unknown option '--jsno'\n(Did you mean --json?)"],
  [["create-admin"], "Required option '--email <address>' not specified"],
  [["create-admin", "--email", "nobody"], "It must be an email address."],
  [["serve", "now"], "Too many arguments"],
  [["serve", "--workers", "0"], "Must be auto or a number from 1 to 128."],
  [["jobs", "retry", "7"], "It must be an id that jobs list prints."],
  [["jobs", "retry", "--all-failed", "--limit", "0"], "Must be a whole number from 1 to 99999."],
  [["restore", "--from", "backups", "--skip-numbers", " "], "Must be a whole number from 0 to 1000000."],
  [["restore", "--from", "backups", "--erasures", ""], "It must not be empty."],
  [["restore", "--from", "backups", "--confirm"], "Option '--confirm' cannot be used with option '--from <folder>'"],
  [["restore", "--from", "b", "--verify", "--erasures", "e"], "cannot be used with option '--erasures <file>'"],
  [["restore", "--erasures", "e", "--skip-numbers", "5"], "can only be used with option '--from <folder>'"],
  [["audit", "verify", "--since", ""], "It must be a hash of 64 hexadecimal digits."],
  [["audit", "verify", "--since", "3f9a"], "It must be a hash of 64 hexadecimal digits."],
  [["keys", "list", "now"], "Only - is allowed"],
  [["keys", "list", "--ring", "gold"], "Allowed choices are signing, encryption, release."],
])("exits with 1 and explains the fault for %j", async (args, message) => {
  const { code, output, errors } = await parse(args);
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toContain(message);
});

test("serves with workers whenever --workers is given, so that SIGHUP replaces also a single one", async () => {
  for (const args of [[], ["--workers", "1"], ["--workers", "auto"]]) await parse(["serve", ...args]);
  expect(host.serve.mock.calls).toEqual([[undefined], [1], [availableParallelism()]]);
});

test("a failed command says whether a connection failed or the database refused, and what to do", () => {
  const describe = (message: string, facts: object = {}) => describeFailure(Object.assign(new Error(message), facts));
  const refused = "Correct the cause on its server, then try again.";
  const away = "Start the server at that address, or correct its setting, such as DATABASE_URL.";
  const socket = { code: "ENOENT", syscall: "connect", address: "/run/.s.PGSQL.5432" };
  for (const [found, expected] of [
    [describe("full", { code: "53100" }), `The database refused: full. ${refused}`],
    [describe("outer", { cause: { code: "25006" } }), `The database refused: outer. ${refused}`],
    [describe("x", { code: "ECONNREFUSED", port: 6432 }), `A connection failed: x. ${away}`],
    [describe("x", socket), `A connection failed: x. ${away}`],
    [describe("x", { code: "EADDRINUSE", port: 9464 }), expect.stringContaining("set PORT or METRICS_PORT to another")],
    [describeFailure(new AppError("UNAVAILABLE", { cause: new Error("Access Denied") })), "Access Denied"],
    [
      describe("x", { code: "SELF_SIGNED_CERT_IN_CHAIN" }),
      expect.stringMatching(/^A connection isn't secure: x. .*sslrootcert/),
    ],
    [describe("The server does not support SSL connections"), expect.stringContaining("such as DATABASE_URL")],
    [
      describe("SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"),
      "A connection failed: the server wants a password, but the URL has none. Add it to the setting, such as DATABASE_URL.",
    ],
    [describe("timeout expired"), `A connection failed: timeout expired. ${away}`],
    [describe("ENOSPC: no space left on device, write", { code: "ENOSPC" }), "ENOSPC: no space left on device, write"],
  ])
    expect(found).toEqual(expected);
});

test("a folder that nobody can create is an error, as for backup --to /proc/backups", () => {
  expect(() => makeFolder("/proc/backups/new")).toThrow(/^E\w+: /);
});

/** Parses arguments without ending this process. */
async function parse(args: string[]) {
  let output = "";
  let errors = "";
  const tested = buildProgram("portal", host);
  for (const command of [tested, ...tested.commands.flatMap((one) => [one, ...one.commands])])
    command.exitOverride().configureOutput({
      writeOut: (text) => (output += text),
      writeErr: (text) => (errors += text),
    });
  const code = await tested.parseAsync(args, { from: "user" }).then(
    () => 0,
    (error: CommanderError) => error.exitCode,
  );
  return { code, output, errors };
}
