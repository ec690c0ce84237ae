import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createContext } from "#api/platform/context.ts";
import { restoreContact } from "#api/staff/contacts/contact-changes.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { createContact } from "#tests/factories/contact.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createAdmin, createSignedInAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const { user: admin, token } = await createSignedInAdmin(app, { firstName: "Morgan", lastName: "Reyes" });
const user = await createUser(app);
const em = () => app.services.orm.em.fork();

const wendy = { firstName: "Wendy", lastName: "O'Hara", email: "wendy@example.com", phone: "07 3000 0000" };
const values = (changes: object = {}) => ({ userId: user.id, ...wendy, contactType: 2, ...changes });
const post = (body: unknown) => app.rest("POST", "/v1/users/contact", { body, token });
const put = (body: unknown) => app.rest("PUT", "/v1/users/contact", { body, token });
const remove = (userId: string, id: string) => app.rest("DELETE", `/v1/users/contact/${userId}/${id}`, { token });
const listActions = async (id: string) => (await listAuditEntries(app, id)).map(({ action }) => action);
const findRow = async (id: string) =>
  (await app.services.pool.query("select * from contacts where id = $1", [id])).rows[0];

/** Calls a GraphQL operation for the user's contact. */
const call = (text: string, variables: object, by = token) => app.call(text, { userId: user.id, ...variables }, by);
const deleteContact = (id: string) => call("deleteContact { id }", { id });
const restore = (id: string, changes: object = {}) => call("restoreContact { id }", { id, ...changes });

test("adds a contact over REST, returns its id as a JSON string and records an audit entry", async () => {
  const { status, json } = await post(values({ contactType: "2" }));
  expect([status, typeof json]).toEqual([200, "string"]);
  expect(await em().findOneOrFail(Contact, json)).toMatchObject({ ...wendy, contactType: 2, user: { id: user.id } });
  expect(await listAuditEntries(app, json)).toMatchObject([
    {
      action: "add-contact",
      subjectType: "contact",
      subjectName: "Wendy O'Hara",
      userId: user.id,
      actorId: admin.id,
      before: null,
      after: { ...wendy, contactType: 2 },
    },
  ]);
});

test("returns the rules' messages by field over REST and GraphQL", async () => {
  const fields = {
    firstName: ["First name must have at least 2 characters."],
    contactType: ["Contact type is not one of the list."],
  };
  const wrong = { ...wendy, firstName: "W", contactType: 9 };
  const { id } = await createContact(app, user);
  for (const response of [await post(values(wrong)), await put(values({ ...wrong, id }))])
    expect([response.status, response.json]).toEqual([400, fields]);
  const input = { ...wrong, contactType: "IT" };
  for (const [mutation, variables] of [
    ["addContact { id }", { input }],
    ["updateContact { id }", { id, input }],
  ] as const)
    await expect(call(mutation, variables)).rejects.toMatchObject({
      code: "BAD_USER_INPUT",
      fields: { firstName: fields.firstName },
    });
});

test("adds, lists and deletes contacts over GraphQL", async () => {
  const owner = await createUser(app);
  const { id } = await call("addContact { id }", { userId: owner.id, input: { ...wendy, contactType: "IT" } });
  const read = () => app.call("user { contacts { id } }", { id: owner.id }, token);
  expect(await read()).toEqual({ contacts: [{ id }] });
  expect(await call("deleteContact { id }", { userId: owner.id, id: id.toUpperCase() })).toEqual({ id });
  expect(await read()).toEqual({ contacts: [] });
});

test("adds no contact to an unknown user or a deleted account", async () => {
  for (const userId of [randomUUID(), "7"]) expect((await post(values({ userId }))).status).toBe(404);
  const gone = await createUser(app);
  await deleteAccount(app, await signInAs(app, gone));
  const { status, json } = await post(values({ userId: gone.id }));
  expect([status, json.Message]).toEqual([409, "This account was deleted. Nothing can be added to it."]);
  expect(await em().count(Contact, { user: gone.id })).toBe(0);
});

test("updates the contact and audits the changed values, and nothing if nothing changed", async () => {
  const { id, firstName, lastName, email, phone, contactType } = await createContact(app, user);
  const same = { userId: user.id, id, firstName, lastName, email, phone, contactType };
  expect(await put({ ...same, revision: 1 })).toMatchObject({ status: 200, json: true });
  expect(await listActions(id)).toEqual([]);
  expect((await put({ ...values({ id }), phone, contactType: 6 })).json).toBe(true);
  expect(await em().findOneOrFail(Contact, id)).toMatchObject({ ...wendy, phone, contactType: 6, revision: 2 });
  const [entry] = await listAuditEntries(app, id);
  expect(entry).toMatchObject({
    action: "update-contact",
    before: { firstName: "Mary", lastName: "Somerville", email: "mary@example.com", contactType: 4 },
    after: { firstName: "Wendy", lastName: "O'Hara", email: "wendy@example.com", contactType: 6 },
  });
  expect(entry?.before).not.toHaveProperty("phone");
});

test("rejects an update based on an outdated revision, and lists the changes since then", async () => {
  const { id } = await createContact(app, user);
  const update = (phone: string, revision: number | null, by = token) => {
    const input = { ...wendy, phone, contactType: "PRINCIPAL_CONTACT" };
    return call("updateContact { phone revision }", { id, revision, input }, by);
  };
  const grace = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));
  expect(await update("07 1", 1, grace)).toEqual({ phone: "07 1", revision: 2 });
  await expect(update("07 2", 1)).rejects.toMatchObject({
    code: "CONFLICT",
    reason: "STALE_REVISION",
    message: expect.stringMatching(
      /^This contact was changed in the meantime. Grace Hopper <.*> changed .*, phone .+ Please reload/,
    ),
  });
  const refused = await put(values({ id, revision: 1 }));
  expect([refused.status, refused.json.Message]).toEqual([409, expect.stringContaining("changed in the meantime")]);
  expect(await em().findOneOrFail(Contact, id)).toMatchObject({ phone: "07 1", revision: 2 });
  expect(await call("contactChanges { actorName fields }", { id, since: 1 })).toEqual([
    { actorName: expect.stringContaining("Grace Hopper"), fields: ["email", "firstName", "lastName", "phone"] },
  ]);
  expect(await update("07 2", 2)).toMatchObject({ revision: 3 });
  // Documented clients send no revision.
  expect((await put(values({ id, phone: "07 3" }))).status).toBe(200);
  expect(await update("07 4", null)).toEqual({ phone: "07 4", revision: 5 });
});

test("deletes the contact once and audits its values", async () => {
  const { id } = await createContact(app, user);
  expect(await remove(user.id, id)).toMatchObject({ status: 200, json: true });
  expect(await em().count(Contact, { id })).toBe(0);
  expect(await listAuditEntries(app, id)).toMatchObject([
    { action: "delete-contact", subjectName: "Mary Somerville", before: { email: "mary@example.com" }, after: null },
  ]);
  expect((await remove(user.id, id)).status).toBe(404);
});

test("restores the contact of the latest deletion with every column, once, and records it", async () => {
  const addedAt = new Date("2024-02-03T04:05:06.789Z");
  const { id } = await createContact(app, user, { contactType: 2, revision: 4, addedAt, phone: "1" });
  const before = await findRow(id);
  await deleteContact(id);
  expect(await findRow(id)).toBeUndefined();
  expect([await restore(id), await findRow(id)]).toEqual([{ id }, before]);
  expect([await restore(id), await listActions(id)]).toEqual([{ id }, ["delete-contact", "restore-contact"]]);
  await em().nativeUpdate(Contact, id, { phone: "2" });
  app.clock.setOffset(1_000);
  await deleteContact(id);
  const { id: userId } = await createUser(app);
  await expect(restore(id, { userId })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await restore(id);
  app.clock.setOffset(0);
  expect((await findRow(id)).phone).toBe("2");
});

test("restores a contact once under concurrent calls in two processes, and refuses after ten minutes", async () => {
  const processes = [app.services, await openSecondProcess(app)];
  const actor = { userId: admin.id, sessionId: admin.id, role: "admin" } as const;
  const { id } = await createContact(app, user);
  await deleteContact(id);
  const clock = { ...app.clock, now: () => new Date(app.clock.now().getTime() + 601_000) };
  const late = createContext({ ...app.services, clock }, { actor });
  await expect(restoreContact(late, user.id, id)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await findRow(id)).toBeUndefined();
  await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      restoreContact(createContext(processes[n % 2] ?? app.services, { actor }), user.id, id),
    ),
  );
  expect(await listActions(id)).toEqual(["delete-contact", "restore-contact"]);
});
