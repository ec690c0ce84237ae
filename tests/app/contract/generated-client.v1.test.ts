import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { secretMailedTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "../../..");
const bin = (name: string) => join(repository, "node_modules/.bin", name);

// Within the repository, so that what is generated finds its runtime; in a folder that git ignores.
mkdirSync(join(repository, ".cache"), { recursive: true });
const folder = mkdtempSync(join(repository, ".cache/generated-client-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const app = await startTestApp();
const service = {
  mailedSecret: (email: string) => secretMailedTo(app, email),
  adminToken: await signInAs(app, await createAdmin(app)),
};

const compilerOptions = {
  target: "es2023",
  lib: ["es2024", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: [],
};

beforeAll(async () => {
  await run(process.execPath, [bin("oazapfts"), join(repository, "schema/openapi.json"), join(folder, "client.ts")]);
  copyFileSync(join(import.meta.dirname, "main-paths.ts.txt"), join(folder, "main-paths.ts"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
}, 60_000);

test("a client that is generated from schema/openapi.json compiles, and so does what uses its types strictly", async () => {
  const { stdout } = await run(process.execPath, [bin("tsc"), "-p", folder]).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe("");
}, 120_000);

describe("a program on the generated client", () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- it is not there when this file is compiled; the test above compiles it
  let paths: any;
  let customer: { token: string; userId: string };

  beforeAll(async () => {
    paths = await import(/* @vite-ignore */ join(folder, "main-paths.ts"));
    paths.defaults.baseUrl = app.url;
    customer = await paths.signUp(service, "generated-client@example.com");
  });

  test("registers, confirms, signs in and changes the profile", async () => {
    expect(await paths.profile(customer.token, customer.userId)).toBe("Analytical Planning");
  });

  test("starts the trial, activates and validates a machine, and frees it", async () => {
    const { answers, freed, left } = await paths.trial(customer.token, customer.userId);
    expect(answers).toEqual(["VALID", "VALID"]);
    expect([freed, left]).toEqual([1, 0]);
  });

  test("subscribes by card and downloads the tax invoice", async () => {
    const { sentence, amount, pdf } = await paths.subscribe(customer.token);
    expect(sentence).toContain("GST");
    expect(amount).toBeGreaterThan(1_000);
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe("%PDF-");
  });

  test("finds the customer as staff, and adds a licence that a machine uses", async () => {
    const { found, licences, answers } = await paths.staff(service, customer.userId);
    expect(found).toBe(true);
    expect(licences).toBe(3);
    expect(answers).toEqual(["VALID", "VALID"]);
  });

  test("asks the sandbox what no customer has", async () => {
    expect(await paths.addIn("SANDB-00001-00000-00000-00000-0000R")).toEqual(["VALID", "VALID"]);
    expect(await paths.addIn("SANDB-00014-00001-00000-00000-00006")).toEqual(["VALID", "LICENCE_EXPIRED"]);
    expect(await paths.addIn("SANDB-00022-00000-00000-00000-0000S")).toEqual(["MACHINE_LIMIT_EXCEEDED"]);
  });

  test("tells errors apart by their status, with typed bodies", async () => {
    expect(await paths.errors(customer.token)).toEqual([
      "Sorry, we could not find what you asked for.",
      expect.any(String),
      ["confirmationToken"],
    ]);
    expect(await paths.update()).toBe(204);
  });
});
