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

const saveDocument = `mutation ($input: SavedViewInput!) { saveView(input: $input) { ${fields} } }`;
const save = (changes: object = {}, as = token) =>
  app.graphql(
    saveDocument,
    { input: { list: "USERS", name: "Builders", parameters: "q=build&sort=Email", ...changes } },
    as,
  );
const updateDocument = `mutation ($id: ID!, $input: SavedViewChange!) { updateSavedView(id: $id, input: $input) { ${fields} } }`;
const update = (id: string, input: object) => app.graphql(updateDocument, { id, input }, token);
const remove = (id: string) => app.graphql("mutation ($id: ID!) { deleteSavedView(id: $id) { id } }", { id }, token);
const list = async (of = "USERS", as = token) =>
  (await app.graphql(`query ($list: ViewedList!) { savedViews(list: $list) { ${fields} } }`, { list: of }, as)).data
    .savedViews;

describe("saved view", () => {
  test("is listed by name, for its list and only for its owner", async () => {
    const { data } = await save();
    await save({ name: "Archived" });
    await save({ list: "BUILDS", name: "Beta builds" });
    expect(data.saveView).toMatchObject({ name: "Builders", parameters: "q=build&sort=Email", isDefault: false });
    expect((await list()).map(({ name }: { name: string }) => name)).toEqual(["Archived", "Builders"]);
    expect(await list("BUILDS")).toHaveLength(1);
    expect(await list("USERS", await signInAs(app, await createAdmin(app)))).toEqual([]);
  });

  test("can be renamed and deleted, and records changes in the audit log", async () => {
    const { id } = (await save()).data.saveView;
    expect((await update(id, { name: "Planners", parameters: "q=plan" })).data.updateSavedView).toMatchObject({
      name: "Planners",
      parameters: "q=plan",
    });
    expect((await remove(id)).data).toEqual({ deleteSavedView: { id } });
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
    const first = (await save({ isDefault: true })).data.saveView;
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
    const getFields = (answer: Awaited<ReturnType<typeof save>>) => answer.errors?.[0]?.extensions.fields;
    expect(getFields(await save({ name: "BUILDERS" }))).toEqual({
      name: ["You already have a saved view with this name."],
    });
    expect(Object.keys(getFields(await save({ name: " " })) ?? {})).toEqual(["name"]);
    expect(Object.keys(getFields(await save({ name: "Long", parameters: "q".repeat(2_001) })) ?? {})).toEqual([
      "parameters",
    ]);
  });
});
