import { expect, test } from "vitest";
import type { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { changeSeats, updateLicence } from "#api/licensing/licences/update-licence.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { addContact, updateContact } from "#api/staff/contacts/contact-changes.ts";
import { mergeAccounts } from "#api/staff/merges/merge-accounts.ts";
import { updateUser } from "#api/staff/users/update-user.ts";
import { getAuditedValues } from "#schema/field.ts";
import { userFields } from "#schema/user.ts";
import type { UpdateUserValues } from "#schema/user.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const em = () => app.services.orm.em.fork();

const findLastEntry = async (subjectId: string) => (await listAuditEntries(app, subjectId)).at(-1) as AuditEntry;
const revert = (entryId: string, token = admin) => app.call("revertChange { id action }", { entryId }, token);

async function edit(user: User, changes: Partial<UpdateUserValues>): Promise<AuditEntry> {
  const stored = await em().findOneOrFail(User, user.id);
  await updateUser(app.context(), user.id, { ...getAuditedValues(userFields, stored), ...changes } as UpdateUserValues);
  return findLastEntry(user.id);
}

test("writes the old values of a user back as a new change, with the effects of the edit", async () => {
  const user = await createUser(app, { companyName: "Right Rail" });
  const machines = { blockedMachines: [{ machineName: "BNE-1" }] };
  const entry = await edit(user, { companyName: "Wrong Rail", email: `new-${user.email}`, ...machines });
  const reverting = await revert(entry.id);
  expect(reverting).toMatchObject({ action: "UPDATE_USER" });
  expect(reverting.id).not.toBe(entry.id);
  const reverted = { companyName: "Right Rail", email: user.email, revision: 3 };
  expect(await em().findOneOrFail(User, user.id)).toMatchObject(reverted);
  expect(await listEmailsTo(app, `new-${user.email}`)).toHaveLength(1);
  const last = await findLastEntry(user.id);
  expect(last.before).toMatchObject({ companyName: "Wrong Rail" });
  expect(last.after).toMatchObject({ companyName: "Right Rail", blockedMachines: [] });
  // The revert is a change like any other.
  await revert(last.id);
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ companyName: "Wrong Rail" });
});

test("refuses if a field has changed since, and names it; other fields don't matter", async () => {
  const user = await createUser(app, { companyName: "First" });
  const entry = await edit(user, { companyName: "Second" });
  await edit(user, { position: "Planner" });
  const later = await edit(user, { companyName: "Third" });
  const refusal = { code: "CONFLICT", message: expect.stringContaining("another change of Company") };
  await expect(revert(entry.id)).rejects.toMatchObject(refusal);
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ companyName: "Third", position: "Planner" });
  await revert(later.id);
  await revert(entry.id);
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ companyName: "First", position: "Planner" });
});

const ada = {
  firstName: "Ada",
  lastName: "Byron",
  email: "ada@rail.test",
  phone: "0400 000 000",
  contactType: 1 as const,
};

test("reverts contacts, and terms and seats of licences", async () => {
  const user = await createUser(app);
  const contact = await addContact(app.context(), user.id, ada);
  await updateContact(app.context(), user.id, contact.id, { ...ada, phone: "0411 111 111" });
  await revert((await findLastEntry(contact.id)).id);
  expect(await em().findOneOrFail(Contact, contact.id)).toMatchObject({ phone: "0400 000 000" });

  const seatCounts = { numberOfUsers: 1, numberOfMachines: 1 };
  const licence = await createLicence(app, user, { ...seatCounts, purchaseOrderNumber: "PO-1" });
  const expiryDate = addMilliseconds(licence.expiresAt, -30 * DAY);
  const { licenceCategory } = licence;
  await updateLicence(app.context(), user.id, licence.id, { expiryDate, licenceCategory, purchaseOrderNumber: "PO-2" });
  const terms = await findLastEntry(licence.id);
  await changeSeats(app.context(), user.id, licence.id, { numberOfUsers: 5, numberOfMachines: 6, allowOnVms: true });
  for (const { id } of [terms, await findLastEntry(licence.id)]) await revert(id);
  expect(await em().findOneOrFail(Licence, licence.id)).toMatchObject({
    expiresAt: licence.expiresAt,
    purchaseOrderNumber: "PO-1",
    numberOfUsers: 1,
    numberOfMachines: 1,
    allowOnVms: false,
  });
});

test("reverts changes of a contact and a licence that a merge of accounts moved since", async () => {
  const [kept, merged] = [await createUser(app), await createUser(app)];
  const contact = await addContact(app.context(), merged.id, ada);
  await updateContact(app.context(), merged.id, contact.id, { ...ada, phone: "0411 111 111" });
  const licence = await createLicence(app, merged, { numberOfUsers: 1, numberOfMachines: 1 });
  const more = { numberOfUsers: 5, numberOfMachines: 6, allowOnVms: false };
  await changeSeats(app.context(), merged.id, licence.id, more);
  const entries = [await findLastEntry(contact.id), await findLastEntry(licence.id)];
  await mergeAccounts(app.context(), kept.id, merged.id);
  for (const { id } of entries) await revert(id);
  expect(await em().findOneOrFail(Contact, contact.id)).toMatchObject({ phone: "0400 000 000", user: { id: kept.id } });
  expect(await em().findOneOrFail(Licence, licence.id)).toMatchObject({ numberOfUsers: 1, numberOfMachines: 1 });
});

test("refuses other changes, unknown entries, and callers who may not edit", async () => {
  const user = await createUser(app);
  const { id } = await addContact(app.context(), user.id, ada);
  const adding = await findLastEntry(id);
  await expect(revert(adding.id)).rejects.toMatchObject({ code: "CONFLICT" });
  for (const unknown of ["00000000-0000-4000-8000-000000000000", "no-id"])
    await expect(revert(unknown)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const entry = await edit(user, { companyName: "Other" });
  const finance = await signInAs(app, await createAdmin(app, { staffRoles: ["finance"] }));
  await expect(revert(entry.id, finance)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const call = "user { timeline { rows { auditEntry { id isRevertible } } } }";
  const { timeline } = await app.call(call, { id: user.id }, admin);
  expect(timeline.rows).toContainEqual({ auditEntry: { id: entry.id, isRevertible: true } });
  expect(timeline.rows).toContainEqual({ auditEntry: { id: adding.id, isRevertible: false } });
});
