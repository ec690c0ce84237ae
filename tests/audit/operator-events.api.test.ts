import { expect, test } from "vitest";
import { createKeySet } from "#api/platform/key-rotation.ts";
import { runCommandOn } from "#tests/support/run-command.ts";
import { serveTestApp, startTestApp } from "#tests/support/test-app.ts";

const timeout = 120_000;
const app = await startTestApp();

interface Row {
  type: string;
  detail: Record<string, unknown>;
  request_id: string;
  seal: string | null;
}

const loadEvents = async (type: string): Promise<Row[]> =>
  (
    await app.services.pool.query<Row>(
      "select type, detail, request_id, seal from security_events where type = $1 order by at, detail->>'change'",
      [type],
    )
  ).rows;

test("records added, promoted and removed keys of the command keys once, with the key and the command", {
  timeout,
}, async () => {
  expect(await loadEvents("key.changed")).toEqual([]);
  const added = await runCommandOn(app, "keys", "add", "--ring", "release", "--json");
  expect([added.code, added.errors.includes("will be recorded")]).toEqual([0, false]);
  const [current, waiting] = JSON.parse(added.output).keys.map(({ kid }: { kid: string }) => kid);
  await runCommandOn(app, "keys", "promote", "--ring", "release");
  const events = await loadEvents("key.changed");
  expect(events.map(({ detail, request_id: command }) => [detail, command])).toEqual([
    [{ ring: "release", change: "added", keyId: waiting }, "keys-add"],
    [{ ring: "release", change: "promoted", keyId: waiting }, "keys-promote"],
  ]);
  for (const { seal } of events) expect(seal).toEqual(expect.any(String));

  // A server that starts with these keys has nothing to add, and one without the old key records that it is gone.
  const { config } = app.services;
  await serveTestApp(app.database, config);
  expect(await loadEvents("key.changed")).toHaveLength(2);
  const listed = await runCommandOn(app, "keys", "public", "--ring", "release");
  const { keys } = JSON.parse(listed.output) as { keys: { kid: string }[] };
  const releaseKeys = JSON.stringify({ keys: keys.filter(({ kid }) => kid !== current) });
  await serveTestApp(app.database, { ...config, releaseKeys });
  expect((await loadEvents("key.changed")).slice(2)).toMatchObject([
    { detail: { ring: "release", change: "removed", keyId: current }, request_id: "startup" },
  ]);
});

test("records keys that were changed in a setting when a server starts", { timeout }, async () => {
  const before = (await loadEvents("key.changed")).length;
  const { config } = app.services;
  const signingKeys = JSON.stringify(createKeySet("signing"));
  const [key] = JSON.parse(signingKeys).keys as { kid: string }[];
  await serveTestApp(app.database, { ...config, signingKeys });
  const events = (await loadEvents("key.changed")).slice(before).map(({ detail }) => detail);
  expect(events).toContainEqual({ ring: "signing", change: "added", keyId: key?.kid });
  expect(events).toContainEqual({ ring: "signing", change: "promoted", keyId: key?.kid });
  expect(events.filter(({ ring, change }) => ring === "signing" && change === "removed")).toHaveLength(1);
});

test("records an admin that the command create-admin created", { timeout }, async () => {
  const email = "operator@example.com";
  const { code } = await runCommandOn(app, "create-admin", "--email", email);
  expect(code).toBe(0);
  expect(await loadEvents("role.changed")).toMatchObject([
    { detail: { before: "None", after: "Admin" }, request_id: "create-admin" },
  ]);
});
