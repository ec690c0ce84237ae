import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { fillDemoData } from "#api/dev/demo-data.ts";
import { linkDemoSubscriptions } from "#api/dev/demo/link-subscriptions.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
await fillDemoData(app.services);
await linkDemoSubscriptions(app.services, app.devPayments);

const hasTools = spawnSync("sh", ["-c", "command -v jq curl base64 >/dev/null"]).status === 0;

/** Runs the shell examples of a document in one shell and returns the output of each. Stops at the first failed one. */
async function runExamples(file: string): Promise<string[]> {
  const blocks = Array.from(readFileSync(file, "utf8").matchAll(/^```sh\n(.*?)^```$/gms), ([, code = ""]) => code);
  const separator = "=== next example ===";
  const examples = blocks.map((code) => `${code}\necho '${separator}'`).join("\n");
  const script = examples.replaceAll("http://localhost:4000", app.url);
  const { stdout } = await promisify(execFile)("bash", ["-eu", "-c", script], { timeout: 60_000 });
  const outputs = stdout.split(separator).map((output) => output.trim());
  expect(outputs).toHaveLength(blocks.length + 1);
  return outputs.slice(0, -1);
}

const read = (output: string | undefined) => JSON.parse(output ?? "") as Record<string, unknown>;

test.runIf(hasTools)("runs every shell example of docs/addin.md", { timeout: 90_000 }, async () => {
  const [quickstart, trial, activated, signedIn, moved, validated, used, deactivated, owner, ...others] =
    await runExamples("docs/addin.md");
  const [update, releases, keys, file, , lease, borrowed, heartbeat, released, sandbox] = others;
  expect(read(quickstart)).toMatchObject({ valid: true, code: "VALID" });
  expect(trial).toBe("false");
  expect(read(activated)).toMatchObject({ code: "VALID", licence: { licenceType: 1 } });
  for (const part of ["authorization_pending", "CONFIRMED", "VALID"]) expect(signedIn).toContain(part);
  for (const part of ["MACHINE_LIMIT_EXCEEDED", "PLANNING-07"]) expect(moved).toContain(part);
  expect(read(validated)).toMatchObject({ valid: true });
  expect(used?.match(/"usageRemaining": 18/g)).toHaveLength(2);
  expect(read(deactivated)).toMatchObject({ valid: true });
  expect(owner?.split("\n").at(-1)).toBe("1");
  expect(update).toContain('"version"');
  expect(releases).toContain('"publishedAtUtc"');
  expect(keys).toContain('"keys"');
  expect(file).toContain("BEGIN LICENCE FILE");
  expect(read(lease)).toMatchObject({ inUse: 4, seats: 5 });
  expect(borrowed?.split("\n")).toHaveLength(2);
  expect(read(heartbeat)).toHaveProperty("id");
  expect(read(released)).toMatchObject({ valid: true });
  expect(sandbox).toContain("LICENCE_EXPIRED");
});

test.runIf(hasTools)("runs every shell example of docs/graphql.md", async () => {
  const [plans, me] = await runExamples("docs/graphql.md");
  expect(read(plans)).toHaveProperty("data.plans.0.name");
  expect(read(me)).toHaveProperty("data.me.firstName", "Ada");
});
