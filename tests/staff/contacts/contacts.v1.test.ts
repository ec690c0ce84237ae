import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { contactTypes } from "#schema/catalogue.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await createAdmin(app, { firstName: "Morgan", lastName: "Reyes" });
const token = await signInAs(app, admin);
const user = await createUser(app);
const em = () => app.services.orm.em.fork();

const wendy = { firstName: "Wendy", lastName: "O'Hara", email: "wendy@example.com", phone: "07 3000 0000" };
const values = (changes: object = {}) => ({ userId: user.id, ...wendy, contactType: 2, ...changes });
const post = (body: unknown) => app.rest("POST", "/v1/users/contact", { body, token });
const put = (body: unknown) => app.rest("PUT", "/v1/users/contact", { body, token });
const remove = (userId: string, id: string) => app.rest("DELETE", `/v1/users/contact/${userId}/${id}`, { token });
const NOT_FOUND = "Sorry, we could not find what you asked for.";

describe("POST /v1/users/contact", () => {
  test("adds a contact, returns its id as a JSON string and records an audit entry", async () => {
    const { status, json } = await post(values({ firstName: "  Wendy " }));
    expect(status).toBe(200);
    expect(typeof json).toBe("string");
    expect(await em().findOneOrFail(Contact, json)).toMatchObject({ ...wendy, contactType: 2, user: { id: user.id } });
    const [entry, ...more] = await listAuditEntries(app, json);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: "add-contact",
      subjectType: "contact",
      subjectName: "Wendy O'Hara",
      userId: user.id,
      actorId: admin.id,
      before: null,
      after: { ...wendy, contactType: 2 },
    });
  });

  test("accepts each of the six types as a number or text", async () => {
    for (const { value } of contactTypes)
      for (const contactType of [value, String(value)]) {
        const { json } = await post(values({ contactType }));
        expect((await em().findOneOrFail(Contact, json)).contactType).toBe(value);
      }
  });

  test.each([
    ["firstName", "AB"],
    ["firstName", "A".repeat(30)],
    ["lastName", "Ng"],
    ["lastName", "A".repeat(30)],
    ["phone", "1"],
    ["phone", "1".repeat(50)],
  ])("accepts %s at its length limit: %s", async (field, value) => {
    expect((await post(values({ [field]: value }))).status).toBe(200);
  });

  test.each([
    ["firstName", "A", "First name must have at least 2 characters."],
    ["firstName", "A".repeat(31), "First name is too long."],
    ["firstName", "", "First name is required."],
    ["firstName", undefined, "First name is required."],
    ["firstName", ["Ada"], "Must be text."],
    ["firstName", "A\u0000da", "Contains characters that are not allowed."],
    ["lastName", "B", "First name must have at least 2 characters."],
    ["lastName", "B".repeat(31), "First name is too long."],
    ["lastName", null, "Last name is required."],
    ["email", "", "Email is required."],
    ["email", "nobody", "Invalid email address"],
    ["email", "a b@example.com", "Invalid email address"],
    ["email", { a: 1 }, "Must be text."],
    ["phone", "   ", "Phone is required."],
    ["phone", "1".repeat(51), "Phone is too long."],
    ["phone", 730000000, "Must be text."],
    ["contactType", undefined, "Contact type is required."],
    ["contactType", "", "Contact type is required."],
    ["contactType", 0, "Contact type is not one of the list."],
    ["contactType", 7, "Contact type is not one of the list."],
    ["contactType", 1.5, "Contact type is not one of the list."],
    ["contactType", "Accounts", "Contact type is not one of the list."],
    ["contactType", [2], "Contact type is not one of the list."],
    ["contactType", true, "Contact type is not one of the list."],
    ["userId", undefined, "User is required."],
    ["userId", 7, "Must be text."],
  ])("rejects %s %j", async (field, value, message) => {
    const { status, json } = await post(values({ [field]: value }));
    expect(status).toBe(400);
    expect(Object.keys(json)).toEqual([field]);
    expect(json[field][0]).toBe(message);
  });

  test("returns an error for every missing field", async () => {
    const { status, json } = await post({});
    expect(status).toBe(400);
    expect(Object.keys(json).toSorted()).toEqual(["contactType", "email", "firstName", "lastName", "phone", "userId"]);
  });

  test("returns 404 for an unknown user and 409 for a deleted account", async () => {
    for (const userId of [randomUUID(), "7"]) expect((await post(values({ userId }))).status).toBe(404);
    const gone = await createUser(app);
    await app.graphql(
      "mutation ($input: DeleteMyAccountInput!) { deleteMyAccount(input: $input) }",
      { input: { password: testPassword } },
      await signInAs(app, gone),
    );
    const { status, json } = await post(values({ userId: gone.id }));
    expect(status).toBe(409);
    expect(json.Message).toBe("This account was deleted. Nothing can be added to it.");
    expect(await em().count(Contact, { user: gone.id })).toBe(0);
  });
});

describe("PUT /v1/users/contact", () => {
  test("updates the contact and audits the values before and after", async () => {
    const contact = await createContact(app, user);
    const { status, json } = await put(values({ id: contact.id, email: "mary.s@example.com", contactType: 6 }));
    expect([status, json]).toEqual([200, true]);
    expect(await em().findOneOrFail(Contact, contact.id)).toMatchObject({ firstName: "Wendy", contactType: 6 });
    const [entry] = await listAuditEntries(app, contact.id);
    expect(entry).toMatchObject({
      action: "update-contact",
      before: { firstName: "Mary", lastName: "Somerville", email: "mary@example.com", contactType: 4 },
      after: { firstName: "Wendy", lastName: "O'Hara", email: "mary.s@example.com", contactType: 6 },
    });
    expect(entry?.before).not.toHaveProperty("phone");
  });

  test("records no audit entry if nothing changed", async () => {
    const { id, firstName, lastName, email, phone, contactType } = await createContact(app, user);
    const same = { userId: user.id, id, firstName, lastName, email, phone, contactType };
    expect((await put(same)).status).toBe(200);
    expect(await listAuditEntries(app, id)).toEqual([]);
  });

  test("requires the id and validates the contact", async () => {
    expect((await put(values())).json).toEqual({ id: ["Contact is required."] });
    const { json } = await put(values({ id: randomUUID(), email: "x" }));
    expect(json).toEqual({ email: ["Invalid email address"] });
  });
});

describe("DELETE /v1/users/contact/{userId}/{contactId}", () => {
  test("deletes the contact once and audits its values", async () => {
    const contact = await createContact(app, user);
    const { status, json } = await remove(user.id, contact.id);
    expect([status, json]).toEqual([200, true]);
    expect(await em().count(Contact, { id: contact.id })).toBe(0);
    expect(await listAuditEntries(app, contact.id)).toMatchObject([
      { action: "delete-contact", subjectName: "Mary Somerville", before: { email: "mary@example.com" }, after: null },
    ]);
    expect((await remove(user.id, contact.id)).status).toBe(404);
  });
});

test("returns the same 404 for another user's contact, an unknown contact and a malformed id", async () => {
  const other = await createUser(app);
  const contact = await createContact(app, other);
  const ids = [contact.id, randomUUID(), "no-id", "%00"];
  for (const id of ids) {
    const responses = [await remove(user.id, id), await put(values({ id: decodeURIComponent(id) }))];
    for (const { status, json } of responses.slice(0, id === "%00" ? 1 : 2))
      expect([status, json]).toEqual([404, NOT_FOUND]);
  }
  expect((await remove("no-id", contact.id)).json).toBe(NOT_FOUND);
  for (const [name, variables] of [
    ["updateContact", { userId: user.id, id: contact.id, input: { ...wendy, contactType: 1 } }],
    ["deleteContact", { userId: user.id, id: contact.id }],
  ] as const) {
    const isUpdate = name === "updateContact";
    const { errors } = await app.graphql(
      `mutation ($userId: ID!, $id: ID!${isUpdate ? ", $input: ContactInput!" : ""}) {
         ${name}(userId: $userId, id: $id${isUpdate ? ", input: $input" : ""})${isUpdate ? " { id }" : ""} }`,
      variables,
      token,
    );
    expect(errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  }
  expect(await em().findOneOrFail(Contact, contact.id)).toMatchObject({ firstName: "Mary", user: { id: other.id } });
  expect(await listAuditEntries(app, contact.id)).toEqual([]);
});

test("adds, validates, lists and deletes contacts over GraphQL", async () => {
  const owner = await createUser(app);
  const input = { ...wendy, contactType: 3 };
  const added = await app.graphql(
    "mutation ($userId: ID!, $input: ContactInput!) { addContact(userId: $userId, input: $input) { id contactType } }",
    { userId: owner.id, input },
    token,
  );
  const { id } = added.data.addContact;
  const invalid = await app.graphql(
    "mutation ($userId: ID!, $id: ID!, $input: ContactInput!) { updateContact(userId: $userId, id: $id, input: $input) { id } }",
    { userId: owner.id, id, input: { ...input, firstName: "W", contactType: 9 } },
    token,
  );
  expect(invalid.errors?.[0]?.extensions).toMatchObject({
    code: "BAD_USER_INPUT",
    fields: {
      firstName: ["First name must have at least 2 characters."],
      contactType: ["Contact type is not one of the list."],
    },
  });
  const read = () => app.graphql("query ($id: ID!) { user(id: $id) { contacts { id } } }", { id: owner.id }, token);
  expect((await read()).data.user.contacts).toEqual([{ id }]);
  const deleted = await app.graphql(
    "mutation ($userId: ID!, $id: ID!) { deleteContact(userId: $userId, id: $id) }",
    { userId: owner.id, id },
    token,
  );
  expect(deleted.data).toEqual({ deleteContact: true });
  expect((await read()).data.user.contacts).toEqual([]);
});
