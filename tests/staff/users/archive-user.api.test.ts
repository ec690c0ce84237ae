import { expect, test } from "vitest";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { registrationClosed } from "#api/messaging/emails/templates/registration-closed.tsx";
import { sendConfirmation } from "#api/access/registration/send-confirmation.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createContext } from "#api/platform/context.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { restoreUser } from "#api/staff/users/archive-user.ts";
import { unifyStoredUsers } from "#api/staff/users/unify-stored-users.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { createLease } from "#tests/factories/lease.ts";
import {
  createConcurrentLicence,
  createDevice,
  createLicence,
  createRevokedLicence,
  createSubscription,
  createSuspendedLicence,
} from "#tests/factories/licence.ts";
import { listLicenceEvents } from "#tests/factories/subscription.ts";
import { createAdmin, createSignedIn, createSignedInAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { user: rootAdmin, token: admin } = await createSignedInAdmin(app, { firstName: "Root", lastName: "Admin" });

const archive = (id: string) => app.call("archiveUser { id isActive }", { id }, admin);
const restore = (id: string) => app.call("restoreUser { id isActive }", { id }, admin);
const reloadLicence = ({ id }: Licence) => app.services.orm.em.fork().findOneOrFail(Licence, id);
const queryRows = async (text: string, ...values: unknown[]) => (await app.services.pool.query(text, values)).rows;
const listEventKinds = ({ id }: Licence) => listLicenceEvents(app, id);

test("signs the user out, suspends licences, ends leases and records an audit entry when archiving", async () => {
  const { user, token } = await createSignedIn(app, { firstName: "Ada", lastName: "Byron" });
  const licence = await createConcurrentLicence(app, user);
  const revoked = await createRevokedLicence(app, user);
  const seat = await createLease(app, await createDevice(app, licence));
  expect(await archive(user.id)).toEqual({ id: user.id, isActive: false });

  await expect(app.call("me { id }", {}, token)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(await queryRows("select from sessions where user_id = $1 and ended_at is null", user.id)).toHaveLength(0);
  expect((await reloadLicence(licence)).suspendedAt).not.toBeNull();
  expect([(await reloadLicence(revoked)).suspendedAt, await listEventKinds(licence)]).toEqual([null, ["suspend"]]);
  expect(await queryRows("select ended_by from leases where id = $1", seat.id)).toEqual([{ ended_by: "admin" }]);
  const [entry] = await listAuditEntries(app, user.id);
  expect(entry).toMatchObject({
    action: "archive-user",
    actorId: rootAdmin.id,
    subjectName: "Ada Byron",
    userId: user.id,
    before: { isActive: true, suspendedLicences: [] },
    after: { isActive: false, suspendedLicences: [licence.supportCode] },
  });
  expect(JSON.stringify(entry)).not.toContain(licence.licenceCode);

  // Archiving again changes nothing, also over REST.
  expect((await app.rest("PATCH", `/v1/users/${user.id}/archive`, { token: admin })).json).toBe(true);
  expect(await listEventKinds(licence)).toEqual(["suspend"]);
  expect(await listAuditEntries(app, user.id)).toHaveLength(1);
});

test("archives a user whose name is longer than the audit log stores", async () => {
  const name = "👨‍👩‍👧‍👦".repeat(30);
  const user = await createUser(app, { firstName: name, lastName: name });
  expect(await archive(user.id)).toEqual({ id: user.id, isActive: false });
  const [entry] = await listAuditEntries(app, user.id);
  expect(entry?.subjectName).toBe(name.slice(0, 255));
});

test("invalidates emailed links, clears the pending address and deletes unsent emails with links when archiving", async () => {
  const user = await createUser(app, { emailConfirmedAt: null, pendingEmail: "new-ada@example.com" });
  const context = app.context();
  await context.em.transactional(async (em) => {
    await sendConfirmation(context, em, await em.findOneOrFail(User, user.id));
    const { email: to, firstName } = user;
    await sendEmail(context, em, { template: registrationClosed, to, data: { firstName } });
  });
  await archive(user.id);
  expect(await queryRows("select from email_tokens where user_id = $1 and spent_at is null", user.id)).toHaveLength(0);
  expect(await queryRows("select pending_email from users where id = $1", user.id)).toEqual([{ pending_email: null }]);
  const remaining = await queryRows(`select text from mails where "to" = $1 and sent_at is null`, user.email);
  expect(remaining).toHaveLength(1);
  expect(remaining[0].text).not.toContain("?t=");
});

test("keeps the unsent emails of an account when a registration with its address is archived", async () => {
  const owner = await createUser(app);
  await app.call("sendPasswordReset { id }", { userId: owner.id }, admin);
  const shadow = await createUser(app, { email: owner.email, signInEmail: null, emailConfirmedAt: null });
  await archive(shadow.id);
  expect(await queryRows(`select from mails where "to" = $1`, owner.email)).toHaveLength(1);
});

test("reinstates licences when restoring, except licences with a disputed payment", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user);
  const disputed = await createSuspendedLicence(app, user);
  await createSubscription(app, disputed, { disputedAt: app.clock.now() });
  await archive(user.id);
  expect(await restore(user.id)).toEqual({ id: user.id, isActive: true });
  expect((await reloadLicence(licence)).suspendedAt).toBeNull();
  expect((await reloadLicence(disputed)).suspendedAt).not.toBeNull();
  expect([await listEventKinds(licence), await listEventKinds(disputed)]).toEqual([["suspend", "reinstate"], []]);
  expect((await listAuditEntries(app, user.id)).at(-1)).toMatchObject({
    action: "restore-user",
    after: { isActive: true, reinstatedLicences: [licence.supportCode] },
  });
  await restore(user.id);
  expect(await listEventKinds(licence)).toEqual(["suspend", "reinstate"]);
  // The user can sign in again.
  await app.call("me { id }", {}, await signInAs(app, user));
});

test("rejects restoring for an admin who was archived in the meantime", async () => {
  const user = await createUser(app);
  await archive(user.id);
  const { id: userId } = await createAdmin(app, { archivedAt: app.clock.now() });
  const context = createContext(app.services, { actor: { userId, sessionId: null, role: "admin" } });
  await expect(restoreUser(context, user.id)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("rejects archiving one's own account, unknown ids, and restoring a deleted account", async () => {
  for (const own of [rootAdmin.id, rootAdmin.id.toUpperCase()])
    expect(await app.rest("PATCH", `/v1/users/${own}/archive`, { token: admin })).toMatchObject({
      status: 409,
      json: { Message: "You can't archive your own account." },
    });
  await expect(archive(rootAdmin.id)).rejects.toMatchObject({ code: "CONFLICT" });
  const deleted = await createUser(app, { archivedAt: new Date(), deletedAt: new Date() });
  await expect(restore(deleted.id)).rejects.toMatchObject({ code: "CONFLICT" });
  for (const id of ["x", "00000000-0000-4000-8000-000000000000"]) {
    for (const send of [archive, restore]) await expect(send(id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await app.rest("PATCH", `/v1/users/${id}/archive`, { token: admin })).status).toBe(404);
  }
});

test("marks accounts whose country escapes GST, without changing a country, and unifies sign-in addresses", async () => {
  const reload = ({ id }: User) => app.context().em.findOneOrFail(User, id);
  const escaping = ["AU", "Aus\u200btralia", "The Commonwealth of Australia"];
  const countries = [...escaping, "australia", "Australia", "Narnia", "NZ"];
  const users = [];
  for (const country of countries) users.push(await createUser(app, { country }));
  const decomposed = await createUser(app, { email: "zoe\u0308@example.com", signInEmail: "zoe\u0308@example.com" });
  const taken = await createUser(app, { email: "ame\u0301lie@example.com", signInEmail: "ame\u0301lie@example.com" });
  await createUser(app, { email: "amélie@example.com", signInEmail: "amélie@example.com" });
  const international = await createUser(app, { email: "Ada@Bücher.example", signInEmail: "ada@bücher.example" });
  await runSweep(app.services, unifyStoredUsers);
  const stored = [];
  for (const user of users) stored.push(await reload(user));
  expect(stored.map(({ country }) => country)).toEqual(countries);
  expect(stored.map(({ unlistedCountry }) => unlistedCountry)).toEqual([...escaping, null, null, null, null]);
  expect((await reload(decomposed)).signInEmail).toBe("zoë@example.com");
  expect((await reload(taken)).signInEmail).toBe("ame\u0301lie@example.com");
  expect(await reload(international)).toMatchObject({
    email: "Ada@xn--bcher-kva.example",
    signInEmail: "ada@xn--bcher-kva.example",
  });
});
