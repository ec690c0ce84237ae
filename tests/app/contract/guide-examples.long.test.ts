import { execFile, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const app = await startTestApp();
const run = promisify(execFile);
const folder = "docs/guide";
const blocks = readdirSync(folder).flatMap((file) =>
  Array.from(
    readFileSync(join(folder, file), "utf8").matchAll(/^```(\S*)\n(.*?)^```$/gms),
    ([, language, code = ""]) => ({ file, language, code: code.replaceAll("http://localhost:4000", app.url) }),
  ),
);
const blocksOf = (language: string) => blocks.filter((block) => block.language === language);
const hasCurl = spawnSync("sh", ["-c", "command -v bash curl >/dev/null"]).status === 0;

test("has only examples that a test runs; npm run test:dotnet runs those in C#", () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(["sh", "csharp", "js"]));
});

test.runIf(hasCurl).each(blocksOf("sh"))("runs the shell example of $file", async ({ code }) => {
  const { stdout } = await run("bash", ["-eu", "-c", code]);
  expect(JSON.parse(stdout).data).toMatchObject({ valid: true, machineToken: expect.any(String) });
});

test.each(blocksOf("js"))("runs the Node example of $file", async ({ file, code }) => {
  const script = join(createTemporaryFolder("guide-"), "example.mjs");
  writeFileSync(script, code);
  const runAt = async (portal: string) =>
    (await run(process.execPath, [script], { cwd: dirname(script), env: { ...process.env, PORTAL: portal } })).stdout;
  if (file !== "quickstart.md") return expect(await runAt(app.url)).toMatch(/fingerprint: '[0-9a-f]{64}'/);
  expect(code.split("\n").length).toBeLessThanOrEqual(40);
  const nowhere = "http://127.0.0.1:9";
  expect(await runAt(nowhere)).toBe("Connect to the internet once.\n");
  // It activates, validates, and then works without a network.
  for (const portal of [app.url, app.url, nowhere]) expect(await runAt(portal)).toMatch(/^Runs until \d{4}-/);
});
