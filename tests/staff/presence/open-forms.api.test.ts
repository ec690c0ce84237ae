import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const grace = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));
const mary = await signInAs(app, await createAdmin(app, { firstName: "Mary", lastName: "Ward" }));

async function report(token: string, userId: string, tabId: string, isOpen = true): Promise<string[]> {
  const others: { name: string }[] = await app.call("reportOpenForm { name since }", { userId, tabId, isOpen }, token);
  return others.map(({ name }) => name);
}

const sql = (text: string, values: unknown[] = []) => app.services.pool.query(text, values);
const expire = (tabId: string) =>
  sql("update open_forms set expires_at = now() - interval '1 second' where tab_id = $1", [tabId]);

test("names the other admins who have the same form open, not the caller or those at other forms", async () => {
  const [user, other] = [await createUser(app), await createUser(app)];
  const tab = randomUUID();
  expect([await report(grace, user.id, tab), await report(grace, user.id, randomUUID())]).toEqual([[], []]);
  expect(await report(mary, other.id, randomUUID())).toEqual([]);
  expect(await report(mary, user.id, randomUUID())).toEqual(["Grace Hopper"]);
  expect(await report(grace, user.id, tab)).toEqual(["Mary Ward"]);
});

test("removes a form when it closes, but not another admin's", async () => {
  const user = await createUser(app);
  const [tab, marysTab] = [randomUUID(), randomUUID()];
  await report(grace, user.id, tab);
  expect(await report(mary, user.id, tab, false)).toEqual([]);
  expect(await report(mary, user.id, marysTab)).toEqual(["Grace Hopper"]);
  await report(grace, user.id, tab, false);
  expect(await report(mary, user.id, marysTab)).toEqual([]);
});

test("forgets a form without heartbeats by the database's clock, and keeps it open with the next one", async () => {
  const user = await createUser(app);
  const [tab, marysTab] = [randomUUID(), randomUUID()];
  await report(grace, user.id, tab);
  // The clock of the process doesn't matter.
  app.clock.setOffset(300_000);
  expect(await report(mary, user.id, marysTab)).toEqual(["Grace Hopper"]);
  await expire(tab);
  await report(grace, user.id, tab);
  expect(await report(mary, user.id, marysTab)).toEqual(["Grace Hopper"]);
  await expire(tab);
  expect(await report(mary, user.id, marysTab)).toEqual([]);
  expect((await sql("select 1 from open_forms where tab_id = $1", [tab])).rowCount).toBe(0);
});

test("refuses admins who see no customers, and a malformed tab", async () => {
  const release = await signInAs(app, await createAdmin(app, { staffRoles: ["release"] }));
  const { id } = await createUser(app);
  await expect(report(release, id, randomUUID())).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(report(grace, id, "x")).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});
