import { beforeEach, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { toDocument } from "#tests/support/call-document.ts";
import { ROUNDS } from "#tests/support/crowds.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const fields = "id list name parameters isDefault";

let admin: User;
let token = "";

async function signInAdmin(): Promise<void> {
  admin = await createAdmin(app);
  token = await signInAs(app, admin);
}
beforeEach(signInAdmin);

function save(changes: object = {}) {
  const input = { list: "USERS", name: "Builders", parameters: "q=build&sort=Email", ...changes };
  return app.call(`saveView { ${fields} }`, { input }, token);
}
const update = (id: string, input: object) => app.call(`updateSavedView { ${fields} }`, { id, input }, token);
const list = (of = "USERS", as = token) => app.call(`savedViews { ${fields} }`, { list: of }, as);

test("a saved view is listed by name, for its list and only for its owner", async () => {
  expect(await save()).toMatchObject({ name: "Builders", parameters: "q=build&sort=Email", isDefault: false });
  await save({ name: "Archived" });
  await save({ list: "BUILDS", name: "Beta builds" });
  expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["Archived", "Builders"]);
  expect(await list("BUILDS")).toHaveLength(1);
  expect(await list("USERS", await signInAs(app, await createAdmin(app)))).toEqual([]);
});

test("a saved view can be renamed and deleted, and records changes in the audit log", async () => {
  const { id } = await save();
  const changed = { name: "Planners", parameters: "q=plan" };
  expect(await update(id, changed)).toMatchObject(changed);
  expect(await app.call("deleteSavedView { id }", { id }, token)).toEqual({ id });
  const entries = await listAuditEntries(app, id);
  expect(entries).toMatchObject([
    { action: "save-view", actorId: admin.id, after: { name: "Builders", list: "users" } },
    { action: "update-saved-view", before: { name: "Builders" }, after: { name: "Planners" } },
    { action: "delete-saved-view", before: { name: "Planners" } },
  ]);
  // A search can contain the name of a user.
  expect(JSON.stringify(entries)).not.toContain("q=");
});

test("a saved view replaces the default view of its list, and no other", async () => {
  const first = await save({ isDefault: true });
  await save({ list: "BUILDS", isDefault: true });
  await save({ name: "Second", isDefault: true });
  const getDefaults = async () =>
    (await list()).flatMap(({ name, isDefault }: { name: string; isDefault: boolean }) => (isDefault ? [name] : []));
  expect(await getDefaults()).toEqual(["Second"]);
  await update(first.id, { name: "First", isDefault: true });
  expect(await getDefaults()).toEqual(["First"]);
  expect(await list("BUILDS")).toMatchObject([{ isDefault: true }]);
});

test("a saved view reports a used name, a missing name and an unknown list by field", async () => {
  await save();
  await expect(save({ name: "BUILDERS" })).rejects.toMatchObject({
    fields: { name: ["You already have a saved view with this name."] },
  });
  await expect(save({ name: " " })).rejects.toMatchObject({ fields: { name: [expect.any(String)] } });
  const long = save({ name: "Long", parameters: "q".repeat(2_001) });
  await expect(long).rejects.toMatchObject({ fields: { parameters: [expect.any(String)] } });
});

const send = await alternateProcesses(app);
/** Saves ten views at the same time, and returns how many are refused. */
async function saveTen(isDefault: boolean): Promise<number> {
  const saving = Array.from({ length: 10 }, (_, index) => {
    const variables = { input: { list: "USERS", name: `view ${index}`, isDefault } };
    return send("POST", "/graphql", { query: toDocument("saveView { id }", variables), variables }, token);
  });
  return (await Promise.all(saving)).filter(({ json }) => (json as { errors?: unknown }).errors).length;
}
const count = async () => {
  const select = `select count(*)::int as views, count(*) filter (where is_default)::int as defaults
      from saved_views where owner_id = $1`;
  return (await app.services.pool.query(select, [admin.id])).rows[0];
};

test("two processes keep exactly one default view when several are saved", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    await signInAdmin();
    expect([await saveTen(true), await count()]).toEqual([0, { views: 10, defaults: 1 }]);
  }
});

test("two processes save at most 100 views per admin", async () => {
  for (let round = 0; round < ROUNDS.of10; round++) {
    await signInAdmin();
    const sql = `insert into saved_views (id, owner_id, list, name, parameters, is_default, created_at)
         select gen_random_uuid(), $1, 'users', 'old ' || n, '', false, now() from generate_series(1, 97) n`;
    await app.services.pool.query(sql, [admin.id]);
    expect(await saveTen(false)).toBe(7);
    expect(await count()).toMatchObject({ views: 100 });
  }
});
