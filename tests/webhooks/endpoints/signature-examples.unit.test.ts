import { spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { createTemporaryFolder } from "#tests/support/temporary-folder.ts";

const document = readFileSync("docs/webhooks.md", "utf8");
const secret = `whsec_${Buffer.from("thirty-two bytes of a test secret").toString("base64")}`;
const body = '{"id":"e-1","type":"webhook.test","createdAt":"2026-11-22T09:30:00.000Z","data":{}}';

/** Returns the code in the section with a title. */
function findCode(title: string): string {
  const [, code = ""] = new RegExp(`### ${title}\\n.*?\`\`\`\\w+\\n(.*?)\`\`\``, "s").exec(document) ?? [];
  expect(code).not.toBe("");
  return code;
}

/** Signs a body as the server does. */
function sign(content: string, at = Math.floor(Date.now() / 1_000)) {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`e-1.${at}.${content}`).digest("base64");
  return { "webhook-id": "e-1", "webhook-timestamp": String(at), "webhook-signature": `v1,${signature}` };
}

test("the Node example accepts a signed request, and refuses a forged and an old one", async () => {
  const handled: unknown[] = [];
  const routes: ((request: object, response: object) => void)[] = [];
  const express = Object.assign(
    () => ({ post: (_path: string, _raw: unknown, handle: (typeof routes)[number]) => void routes.push(handle) }),
    { raw: () => undefined },
  );
  const code = findCode("Node").replaceAll(/^import .*$/gm, "");
  // The example runs as it is written, with the modules it imports as globals.
  runInNewContext(code, {
    express,
    Webhook,
    process: { env: { WEBHOOK_SECRET: secret } },
    handleOnce: (_id: string, event: unknown) => handled.push(event),
  });
  const send = (headers: object, content = body) => {
    let status = 0;
    routes[0]?.({ body: Buffer.from(content), headers }, { sendStatus: (code: number) => (status = code) });
    return status;
  };
  expect([send(sign(body)), send(sign(body), body.replace("test", "fake"))]).toEqual([204, 400]);
  expect(send(sign(body, 1_000_000_000))).toBe(400);
  expect(handled).toEqual([JSON.parse(body)]);
});

const cases = [
  [sign(body), body],
  [sign(body), body.replace("test", "fake")],
  [sign(body, 1_000_000_000), body],
  // Two signatures after the secret was rolled.
  [{ ...sign(body), "webhook-signature": `v1,AAAA ${sign(body)["webhook-signature"]}` }, body],
  [{ ...sign(body), "webhook-signature": "v1,AAAA" }, body],
] as const;
const verdicts = [true, false, false, true, false];

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.runIf(hasPython)("the Python example accepts a signed request, and refuses a forged and an old one", async () => {
  const script = `
import json, os, sys
handled = []
def handle_once(id, event): handled.append(id)
${findCode("Python")}
results = []
for headers, body in json.loads(sys.argv[1]):
    results.append(verify(headers, body.encode()))
print(json.dumps(results))
`;
  const { stdout, stderr } = spawnSync("python3", ["-c", script, JSON.stringify(cases)], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret },
  });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual(verdicts);
});

const hasMono = spawnSync("mcs", ["--version"]).status === 0;

test.runIf(hasMono)("the C# example accepts a signed request, and refuses a forged and an old one", () => {
  const folder = createTemporaryFolder("signature-");
  const program = `${findCode("C#")}
    static class Program {
      static void Main(string[] given) {
        for (var at = 0; at < given.Length; at += 4)
          Console.WriteLine(WebhookSignature.IsValid("${secret}", given[at], given[at + 1], given[at + 2], given[at + 3]));
      }
    }`;
  writeFileSync(join(folder, "example.cs"), program);
  const compiled = spawnSync("mcs", ["example.cs"], { cwd: folder, encoding: "utf8" });
  expect(compiled.stderr).toBe("");
  const given = cases.flatMap(([headers, content]) => [...Object.values(headers), content]);
  const { stdout } = spawnSync("mono", ["example.exe", ...given], { cwd: folder, encoding: "utf8" });
  expect(stdout.trim().toLowerCase().split("\n")).toEqual(verdicts.map(String));
});
