import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const grace = await signInAs(app, await createAdmin(app, { firstName: "Grace", lastName: "Hopper" }));
const mary = await signInAs(app, await createAdmin(app));
const user = await createUser(app);
const find = (id: string) => app.services.orm.em.fork().findOneOrFail(Contact, id);

const mutation = `mutation ($userId: ID!, $id: ID!, $input: ContactInput!, $revision: Int) {
  updateContact(userId: $userId, id: $id, input: $input, revision: $revision) { phone revision } }`;
const since = `query ($userId: ID!, $id: ID!) {
  contactChanges(userId: $userId, id: $id, since: 1) { actorName fields } }`;
const toInput = ({ firstName, lastName, email, phone, contactType }: Contact) => ({
  firstName,
  lastName,
  email,
  phone,
  contactType,
});

function update(token: string, contact: Contact, changes: object, revision?: number) {
  const input = { ...toInput(contact), ...changes };
  return app.graphql(mutation, { userId: user.id, id: contact.id, revision, input }, token);
}

test("rejects an update based on an outdated revision and lists the changes since then", async () => {
  const contact = await createContact(app, user);
  const ids = { userId: user.id, id: contact.id };
  const first = await update(grace, contact, { phone: "07 1", firstName: "Marie" }, 1);
  expect(first.data.updateContact).toEqual({ phone: "07 1", revision: 2 });
  const late = await update(mary, contact, { phone: "07 2" }, 1);
  expect(late.errors?.[0]).toMatchObject({ extensions: { code: "CONFLICT", reason: "STALE_REVISION" } });
  expect(late.errors?.[0]?.message).toMatch(
    /^This contact was changed in the meantime. Grace Hopper <.*> changed firstName, phone .+ Please reload/,
  );
  expect(await find(contact.id)).toMatchObject({ firstName: "Marie", phone: "07 1", revision: 2 });
  expect((await app.graphql(since, ids, mary)).data.contactChanges).toEqual([
    { actorName: expect.stringContaining("Grace Hopper"), fields: ["firstName", "phone"] },
  ]);
  expect((await update(mary, contact, { phone: "07 2" }, 2)).data.updateContact.revision).toBe(3);
});

test("records no revision or audit entry if nothing changed", async () => {
  const contact = await createContact(app, user);
  expect((await update(grace, contact, {}, 1)).data.updateContact.revision).toBe(1);
  expect(await listAuditEntries(app, contact.id)).toEqual([]);
});

test("returns 409 for an outdated revision over REST and accepts any update without a revision", async () => {
  const contact = await createContact(app, user);
  const put = (changes: object) =>
    app.rest("PUT", "/v1/users/contact", {
      token: mary,
      body: { userId: user.id, id: contact.id, ...toInput(contact), ...changes },
    });
  expect((await put({ phone: "07 1", revision: 1 })).status).toBe(200);
  const refused = await put({ phone: "07 2", revision: 1 });
  expect([refused.status, refused.json.Message]).toEqual([409, expect.stringContaining("changed in the meantime")]);
  expect((await put({ phone: "07 2", revision: "soon" })).json).toEqual({ revision: ["Must be a number."] });
  expect((await put({ phone: "07 3" })).status).toBe(200);
  expect(await find(contact.id)).toMatchObject({ phone: "07 3", revision: 3 });
});

test("returns NOT_FOUND for changes to an unknown contact or another user's contact", async () => {
  const other = await createContact(app, await createUser(app));
  for (const id of [randomUUID(), other.id, "'; drop table contacts; --"])
    expect((await app.graphql(since, { userId: user.id, id }, grace)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
});
