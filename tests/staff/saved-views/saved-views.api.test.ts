import { beforeEach, describe, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const fields = "id list name parameters isDefault";

let admin: User;
let token = "";

beforeEach(async () => {
  admin = await createAdmin(app);
  token = await signInAs(app, admin);
});

function save(changes: object = {}) {
  const input = { list: "USERS", name: "Builders", parameters: "q=build&sort=Email", ...changes };
  return app.call(`saveView { ${fields} }`, { input }, token);
}
const update = (id: string, input: object) => app.call(`updateSavedView { ${fields} }`, { id, input }, token);
const remove = (id: string) => app.call("deleteSavedView { id }", { id }, token);
const list = (of = "USERS", as = token) => app.call(`savedViews { ${fields} }`, { list: of }, as);

describe("saved view", () => {
  test("is listed by name, for its list and only for its owner", async () => {
    const saved = { name: "Builders", parameters: "q=build&sort=Email", isDefault: false };
    expect(await save()).toMatchObject(saved);
    await save({ name: "Archived" });
    await save({ list: "BUILDS", name: "Beta builds" });
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["Archived", "Builders"]);
    expect(await list("BUILDS")).toHaveLength(1);
    expect(await list("USERS", await signInAs(app, await createAdmin(app)))).toEqual([]);
  });

  test("can be renamed and deleted, and records changes in the audit log", async () => {
    const { id } = await save();
    const changed = { name: "Planners", parameters: "q=plan" };
    expect(await update(id, changed)).toMatchObject(changed);
    expect(await remove(id)).toEqual({ id });
    const entries = await listAuditEntries(app, id);
    expect(entries).toMatchObject([
      { action: "save-view", actorId: admin.id, after: { name: "Builders", list: "users" } },
      { action: "update-saved-view", before: { name: "Builders" }, after: { name: "Planners" } },
      { action: "delete-saved-view", before: { name: "Planners" } },
    ]);
    // A search can contain the name of a user.
    expect(JSON.stringify(entries)).not.toContain("q=");
  });

  test("replaces the default view of its list, and no other", async () => {
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

  test("reports a used name, a missing name and an unknown list by field", async () => {
    await save();
    await expect(save({ name: "BUILDERS" })).rejects.toMatchObject({
      fields: { name: ["You already have a saved view with this name."] },
    });
    await expect(save({ name: " " })).rejects.toMatchObject({ fields: { name: [expect.any(String)] } });
    const long = save({ name: "Long", parameters: "q".repeat(2_001) });
    await expect(long).rejects.toMatchObject({ fields: { parameters: [expect.any(String)] } });
  });
});
