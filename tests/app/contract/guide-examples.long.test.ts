import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const run = promisify(execFile);
const folder = "docs/guide";
const blocks = readdirSync(folder).flatMap((file) =>
  Array.from(
    readFileSync(join(folder, file), "utf8").matchAll(/^```(\S*)\n(.*?)^```$/gms),
    ([, language, code = ""]) => ({
      file,
      language,
      code: code.replaceAll("http://localhost:4000", app.url),
    }),
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
  const script = join(mkdtempSync(join(tmpdir(), "guide-")), "example.mjs");
  writeFileSync(script, code);
  const { stdout } = await run(process.execPath, [script], { env: { ...process.env, PORTAL: app.url } });
  expect(stdout).toMatch(file === "quickstart.md" ? /^Runs until \d{4}-/ : /fingerprint: '[0-9a-f]{64}'/);
});
