import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { getCalendarDay } from "#schema/days.ts";
import { sendQuote } from "#api/billing/quotes/send-quote.ts";
import { User } from "#api/people/users/user.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { Erasure } from "#api/privacy/erasure/erasure.entity.ts";
import { Email } from "#api/messaging/emails/email.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { findErasureTarget, requestErasure } from "#api/privacy/erasure/request-erasure.ts";
import { eraseTimeZones } from "#api/privacy/erasure/run-erasure.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { callAddin, buildMachine } from "#tests/factories/addin.ts";
import { checkFile, buildUsersCsv } from "#tests/factories/bulk.ts";
import { createContact } from "#tests/factories/contact.ts";
import { confirmAuthorization, openAuthorization } from "#tests/factories/device-authorization.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createDraftInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRegistration, createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startSmtpServer } from "#tests/support/smtp-server.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const admin = await createAdmin(app, { firstName: "Ada", lastName: "Admin" });
const token = await signInAs(app, admin);

const fields = `id userId requestedBy adminId admin { id } user { id } state finishedAt progress { name title rows isDone }
  certificate { id emailHash requestedAt finishedAt erased { name title effect rows } kept { title rows reason } }`;

const erase = (userId: string, as = token) => app.graphql(`eraseUser { ${fields} }`, { userId }, as);
const findErasure = (userId: string, as = token) => app.graphql(`erasure { ${fields} }`, { userId }, as);

const startTrial = (by: string) => app.graphql("startTrial { id }", { acceptedTheTerms: true }, by);

async function writeEmail(to: string, subject: string, changes: Partial<Email> = {}): Promise<void> {
  const manager = em();
  const text = "Brackenridge";
  manager.create(Email, { to, subject, text, html: text, createdAt: app.clock.now(), ...changes });
  await manager.flush();
}

/** Returns every row of every table that matches the pattern, except the certificate's own email. */
async function rowsWith(pattern: string): Promise<[string, string][]> {
  const { rows: tables } = await app.services.pool.query<{ name: string }>(
    "select table_schema || '.\"' || table_name || '\"' as name from information_schema.tables where table_schema in ('public', 'pgboss')",
  );
  const found: [string, string][] = [];
  for (const { name } of tables) {
    const select = `select t::text as row from ${name} t where t::text ~* $1`;
    const { rows } = await app.services.pool.query<{ row: string }>(select, [pattern]);
    for (const { row } of rows) if (!row.includes("account was deleted")) found.push([name, row]);
  }
  return found;
}

test("lets an admin erase a user: closes the account immediately, erases in the background and issues a certificate", async () => {
  const name = { firstName: "Quentin", lastName: "Marlowe" };
  const user = await createUser(app, { ...name, email: "quentin@marlowe.example", timeZone: "Asia/Tokyo" });
  const licence = await createLicence(app, user);
  await createSubscription(app, licence);
  const { id, buyer } = await createTaxInvoice(app, user);
  const theirs = await signInAs(app, user);

  const { data } = await erase(user.id);
  const by = { requestedBy: "STAFF", adminId: admin.id, admin: { id: admin.id } };
  expect(data.eraseUser).toMatchObject({ userId: user.id, ...by, state: "RUNNING", certificate: null });
  const events = { name: "licence-events", title: "Licence events", rows: 0, isDone: false };
  expect(data.eraseUser.progress).toContainEqual(events);
  expect((await app.graphql("me { id }", {}, theirs)).errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
  const email = `deleted-${user.id}@deleted.invalid`;
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ email, timeZone: null });

  await app.services.jobs.drain();
  const { erasure } = (await findErasure(user.id)).data;
  expect(erasure).toMatchObject({ id: data.eraseUser.id, state: "DONE", finishedAt: expect.any(String) });
  expect(erasure.progress.every(({ isDone }: { isDone: boolean }) => isDone)).toBe(true);
  const sessions = { name: "sessions", title: "Sessions", effect: "DELETED", rows: 1 };
  expect(erasure.certificate.erased).toContainEqual(sessions);
  expect(erasure.certificate.kept).toContainEqual(
    expect.objectContaining({ title: "Tax invoices and adjustment notes", rows: 1 }),
  );
  expect((await em().findOneOrFail(TaxInvoice, id)).buyer).toEqual(buyer);
  expect(JSON.stringify(erasure)).not.toMatch(/quentin|marlowe/i);
  const emails = await listEmailsTo(app, user.email);
  expect(emails).toMatchObject([{ text: expect.stringContaining(`Certificate ${erasure.id}`) }]);
  expect(emails[0]?.text).toMatch(/ (?:GMT\+9|JST)/);

  const entries = await em().find(AuditEntry, { userId: user.id, action: "erase-user" });
  expect(entries.map(({ actorId, subjectName }) => [actorId, subjectName])).toEqual([[admin.id, "Erased"]]);
  expect((await erase(user.id)).data.eraseUser).toMatchObject({ id: erasure.id, state: "DONE" });
});

test("deletes the time zones of users whom an older version erased, and no others", async () => {
  const [erased, user] = [await createUser(app), await createUser(app, { timeZone: "Asia/Tokyo" })];
  await erase(erased.id);
  await app.services.pool.query("update users set time_zone = 'Asia/Tokyo' where id = $1", [erased.id]);
  await runSweep(app.services, eraseTimeZones);
  expect(await em().findOneOrFail(User, erased.id)).toMatchObject({ timeZone: null });
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ timeZone: "Asia/Tokyo" });
});

test("leaves no personal data of an erased user in any table except tax invoices", async () => {
  const email = "philomena@brackenridge.example";
  const user = await createUser(app, { firstName: "Philomena", lastName: "Brackenridge", email });
  const licence = await createLicence(app, user, { projectTerm: "Brackenridge tower", numberOfMachines: 3 });
  await createSubscription(app, licence, { cardBrand: "visa", cardLast4: "4242", cardExpires: "12/30" });
  await createTaxInvoice(app, user);
  const draft = await createDraftInvoice(app, user, { purchaseOrder: "Brackenridge 7" });
  await sendQuote(app.context(), draft.id, draft.revision, getCalendarDay(app.clock.now()));
  await createContact(app, user, { email: "clerk@brackenridge.example" });
  const another = await createUser(app, { companyName: "Other Pty" });
  await createContact(app, another, { email: email.toUpperCase(), firstName: "Philomena", lastName: "Brackenridge" });
  const machine = buildMachine({ machineName: "PC-PHILOMENA", osUser: "philomena" });
  await callAddin(app, "activate", licence, { machine });
  const theirs = await signInAs(app, user);
  expect((await startTrial(theirs)).errors).toBeDefined();
  const { userCode } = await openAuthorization(app, buildMachine({ machineName: "PHILOMENA-3", osUser: "philomena" }));
  await confirmAuthorization(app, { userCode, licenceId: licence.id }, theirs);
  await callAddin(app, "move/code", licence, { machine: buildMachine({ fingerprint: "fingerprint-philomena" }) });
  const device = await createDevice(app, licence, { machineName: "PHILOMENA-2" });
  await app.graphql("deactivateDevice { code }", { input: { deviceId: device.id, reason: "Call Philomena" } }, theirs);
  const trialist = await createUser(app, { email: "trial@brackenridge.example" });
  expect((await startTrial(await signInAs(app, trialist))).errors).toBeUndefined();
  const form = { name: "Philomena", email, phone: "0400 000 000", message: "Call Brackenridge", mailbox: "support" };
  const written = em();
  written.create(ContactMessage, { ...form, receivedAt: app.clock.now() });
  const author = { commentedById: admin.id, commentedBy: "Ada Admin", at: app.clock.now() };
  written.create(Comment, { user: written.getReference(User, user.id), text: "Philomena called", ...author });
  await written.flush();
  await writeEmail("support@planvarro.example", "Message of Philomena", { replyTo: email });
  await app.rest("POST", "/v1/core/accounts", { body: { ...buildRegistration(), email, firstName: "Philomena" } });
  await checkFile(app, token, "kind=import-users", buildUsersCsv(2, "bulk").replace(/bulk-1@[^,;\s]+/, email));
  await app.graphql("addComment { id }", { userId: user.id, comment: "Brackenridge wants a quote" }, token);

  await erase(user.id);
  await erase(trialist.id);
  await app.services.jobs.drain();
  const left = await rowsWith("brackenridge|philomena");
  expect(left.filter(([table]) => table !== 'public."tax_invoices"')).toEqual([]);
  expect(await em().count(Contact, { user: another.id })).toBe(0);
});

test("an erasure finds an address also as it was stored before domains were written in ASCII, and is found by both", async () => {
  const name = randomUUID();
  const user = await createUser(app, { email: `${name}@xn--bcher-kva.example` });
  const other = await createUser(app);
  await createContact(app, other, { email: `${name}@bücher.example` });
  const earlier = await createUser(app, { email: `${randomUUID()}@bücher.example` });
  for (const { id } of [user, earlier]) await erase(id);
  for (const typed of [earlier.email, earlier.email.replace("bücher", "xn--bcher-kva")])
    expect(await findErasureTarget(app.context(), typed)).toMatchObject({
      userId: earlier.id,
      erasureId: expect.any(String),
    });
  await app.services.jobs.drain();
  expect(await em().count(Contact, { user: other.id })).toBe(0);
});

test("an erasure keeps emails of an account that registered the address later", async () => {
  const email = `again-${randomUUID()}@example.com`;
  const user = await createUser(app, { email });
  await requestErasure(app.context(), user.id, "operator");
  await app.rest("POST", "/v1/core/accounts", { body: { ...buildRegistration(), email } });
  await app.services.jobs.drain();
  const subjects = (await listEmailsTo(app, email)).map(({ subject }) => subject);
  expect(subjects).toHaveLength(2);
  expect(await em().count(User, { signInEmail: email })).toBe(1);
});

test.each<[what: string, user: (ownersEmail: string) => Partial<User>]>([
  ["an address that the user requested but never confirmed", (pendingEmail) => ({ pendingEmail })],
  ["the owner of the address of a registration", (email) => ({ email, signInEmail: null, emailConfirmedAt: null })],
])("an erasure keeps emails to %s", async (_, build) => {
  const owner = await createUser(app, { email: `owner-${randomUUID()}@example.com` });
  await writeEmail(owner.email, "Yours");
  await erase((await createUser(app, build(owner.email))).id);
  await app.services.jobs.drain();
  expect((await listEmailsTo(app, owner.email)).map(({ subject }) => subject)).toEqual(["Yours"]);
});

test("rejects erasing the last active admin, the admin's own account and an unknown user", async () => {
  const before = await em().count(Erasure, {});
  const own = await erase(admin.id);
  expect(own.errors?.[0]).toMatchObject({ message: "You can't erase your own account. Contact another admin." });
  await expect(requestErasure(app.context(), admin.id, "operator")).rejects.toThrow(/last active admin/);
  expect((await erase(randomUUID())).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  expect((await findErasure(randomUUID())).data).toEqual({ erasure: null });
  expect(await em().count(Erasure, {})).toBe(before);
});

test("redacts an erased admin's name in the audit log and keeps the actor ID", async () => {
  const former = await createAdmin(app, { firstName: "Hieronymus", lastName: "Vogelweide" });
  const user = await createUser(app);
  const theirs = await signInAs(app, former);
  await app.graphql("addComment { id }", { userId: user.id, comment: "Called" }, theirs);
  await erase(former.id);
  await app.services.jobs.drain();
  expect(await rowsWith("hieronymus|vogelweide")).toEqual([]);
  const [entry] = await em().find(AuditEntry, { userId: user.id });
  expect(entry).toMatchObject({ actorId: former.id, actorName: "Erased user", action: "add-comment" });
});

test("clears the certificate email after delivery", async () => {
  const server = await startSmtpServer();
  const otherServices = await openSecondProcess(app, { smtpUrl: server.url });
  const user = await createUser(app);
  await app.services.jobs.drain();
  await erase(user.id);
  // Email jobs run before erasure jobs in each round.
  await otherServices.jobs.drain();
  await otherServices.jobs.drain();
  expect(server.delivered.map(({ recipients }) => recipients)).toEqual([[user.email]]);
  const emptied = await em().find(Email, { eraseWhenDelivered: true, to: "" });
  expect(emptied).toEqual([expect.objectContaining({ subject: "", text: "", html: "", sentAt: expect.any(Date) })]);
  await server.close();
});
