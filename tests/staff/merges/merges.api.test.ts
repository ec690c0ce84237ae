import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { addCredit } from "#api/billing/credits/credits.ts";
import { DAY } from "#api/platform/clock.ts";
import { createAccountCalls } from "#tests/factories/account.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createContact } from "#tests/factories/contact.ts";
import {
  blockMachine,
  createDevice,
  createLicence,
  createRevokedLicence,
  createSubscription,
} from "#tests/factories/licence.ts";
import { createDraftInvoice, createOpenInvoice } from "#tests/factories/manual-invoice.ts";
import { buildRegistration, createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createContext } from "#api/platform/context.ts";
import { discardInvoice } from "#api/billing/invoices/edit-invoices.ts";
import { voidInvoice } from "#api/billing/invoices/void-invoice.ts";
import { mergeAccounts, undoMerge } from "#api/staff/merges/merge-accounts.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";

const app = await startTestApp();
const { pool } = app.services;
const admin = await signInAs(app, await createAdmin(app));
let kept: User;
let merged: User;
beforeEach(async () => {
  [kept, merged] = [await createUser(app), await createUser(app)];
});

const fields = "id kept { id } merged { id isActive } moved { kind rows } mergedAt undoUntil";
const send = (text: string, variables: object, token = admin) => app.call(text, { ...variables }, token);
const merge = (keptId: string, mergedId: string) => send(`mergeAccounts { ${fields} }`, { keptId, mergedId });
const mergeBoth = async (): Promise<string> => (await merge(kept.id, merged.id)).id;
const undo = (id: string) => send(`undoMerge { ${fields} }`, { id });
const preview = (keptId: string, email: string) =>
  send("mergePreview { merged { id } moves { kind rows } stays { kind rows } refusal }", { keptId, target: { email } });
const ownersOf = async (table: string, ids: string[]) =>
  (await pool.query(`select user_id from ${table} where id = any($1) order by array_position($1, id)`, [ids])).rows.map(
    ({ user_id: id }) => (id === kept.id ? "kept" : id === merged.id ? "merged" : id),
  );
const addComment = async ({ id }: User): Promise<string> =>
  (await send("addComment { id }", { userId: id, comment: "Called" })).id;
const reason = async (keptUser: User, mergedUser: User): Promise<string> => {
  const { refusal } = await preview(keptUser.id, mergedUser.email);
  await expect(merge(keptUser.id, mergedUser.id)).rejects.toMatchObject({ code: "CONFLICT", message: refusal });
  return refusal.replace(/(of|address) \S+@\S+/, "$1 it");
};
const signInOf = ({ email }: User) => createAccountCalls(app).signIn(email);

/** Creates what a customer has in the merged account. */
async function fill(user: User) {
  const licence = await createLicence(app, user);
  const device = await createDevice(app, licence);
  const paid = await createLicence(app, user);
  await createSubscription(app, paid, { status: "ended" as never });
  const contact = await createContact(app, user);
  const comment = await addComment(user);
  await blockMachine(app, user, "OLD-LAPTOP");
  await blockMachine(app, user, "Shared");
  return { licence, device, paid, contact, comment };
}

test("previews and moves licences, contacts, comments and blocked machines, and closes the account", async () => {
  await blockMachine(app, kept, "SHARED");
  const { licence, device, paid, contact, comment } = await fill(merged);
  await pool.query("update users set has_completed_trial = true where id = $1", [merged.id]);
  const session = await signInAs(app, merged);
  const moves = ["LICENCES", "CONTACTS", "COMMENTS", "BLOCKED_MACHINES"].map((kind) => ({ kind, rows: 1 }));
  expect(await preview(kept.id, merged.email.toUpperCase())).toEqual({
    merged: { id: merged.id },
    moves,
    stays: [{ kind: "SUBSCRIPTIONS", rows: 1 }],
    refusal: null,
  });
  const { undoUntil, mergedAt, ...done } = await merge(kept.id, merged.id);
  expect(done).toMatchObject({ kept: { id: kept.id }, merged: { id: merged.id, isActive: false }, moved: moves });
  expect(Date.parse(undoUntil) - Date.parse(mergedAt)).toBe(30 * DAY);
  expect(await ownersOf("licences", [licence.id, paid.id])).toEqual(["kept", "merged"]);
  expect(await ownersOf("contacts", [contact.id])).toEqual(["kept"]);
  expect(await ownersOf("comments", [comment])).toEqual(["kept"]);
  const sql = "select machine_name from blocked_machines where user_id = $1 order by machine_name";
  const { rows: machines } = await pool.query(sql, [kept.id]);
  expect(machines.map(({ machine_name: name }) => name)).toEqual(["OLD-LAPTOP", "SHARED"]);
  // The add-in notices nothing. The licence that stayed is suspended.
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(1);
  const { rows: suspended } = await pool.query("select suspended_at from licences where id = $1", [paid.id]);
  expect(suspended).toEqual([{ suspended_at: expect.any(String) }]);
  const { rows: trials } = await pool.query("select has_completed_trial from users where id = $1", [kept.id]);
  expect(trials).toEqual([{ has_completed_trial: true }]);

  await expect(send("me { id }", {}, session)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  const refused = await signInOf(merged);
  expect(refused.status).toBe(400);
  expect(refused.json.not_active).toEqual([
    `This account was merged into your other one. Please sign in with ${kept.email}.`,
  ]);
  const refusal = `This account was merged into ${kept.email}. Undo the merge instead.`;
  await expect(send("restoreUser { id }", { id: merged.id })).rejects.toThrow(refusal);
  for (const { email } of [kept, merged])
    expect((await listEmailsTo(app, email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Your .+ accounts are one now$/),
    ]);
  const { rows: entries } = await pool.query(
    "select action, user_id, after from audit_entries where action in ('merge-account', 'take-over-account') and user_id = any($1) order by action",
    [[kept.id, merged.id]],
  );
  const movedLicences = [licence.supportCode];
  expect(entries).toEqual([
    {
      action: "merge-account",
      user_id: merged.id,
      after: { isActive: false, mergedInto: kept.id, movedLicences, suspendedLicences: [paid.supportCode] },
    },
    { action: "take-over-account", user_id: kept.id, after: { mergedAccount: merged.id, movedLicences } },
  ]);
});

test("leads the owner of an address that was merged to the account that goes on, also after a second merge", async () => {
  const last = await createUser(app);
  await mergeBoth();
  await merge(last.id, kept.id);
  expect((await signInOf(merged)).json.not_active[0]).toContain(`Please sign in with ${last.email}.`);
  await createAccountCalls(app).register(buildRegistration({ email: merged.email }));
  const [email] = await listEmailsTo(app, merged.email);
  expect(email?.text).toContain(`This account was merged into your other one. Sign in with ${last.email} from now on.`);
  expect(email?.text).not.toContain("isn't active");
});

test("refuses accounts that aren't two confirmed, open accounts of customers, or have open money", async () => {
  const one = await createUser(app);
  const make = (changes = {}) => createUser(app, changes);
  const subscriber = await make();
  await createSubscription(app, await createLicence(app, subscriber));
  const other = await make();
  await createSubscription(app, await createLicence(app, other), { status: "past_due" });
  const invoiced = await createCorporateUser(app);
  await createOpenInvoice(app, invoiced);
  const credited = await make();
  await addCredit(app.context(), credited.id, { amountCents: 500, reason: "Sorry", isPaid: false }, randomUUID());
  // Its invoice was cancelled while it waits for the bank, so the money would become credit.
  const paying = await createCorporateUser(app);
  const { id: invoiceId } = await createOpenInvoice(app, paying);
  await pool.query(
    `insert into card_payments (id, key, user_id, invoice_id, amount_cents, state, created_at)
     values (gen_random_uuid(), $1, $2, $3, 110000, 'needs_authentication', now())`,
    [randomUUID(), paying.id, invoiceId],
  );
  await voidInvoice(app.context(), invoiceId, "Wrong customer");
  const archived = await make({ archivedAt: app.clock.now() });
  expect({
    same: await reason(one, one),
    admin: await reason(one, await createAdmin(app)),
    archived: await reason(one, archived),
    keptArchived: await reason(archived, one),
    unconfirmed: await reason(one, await make({ emailConfirmedAt: null })),
    types: await reason(one, await createCorporateUser(app)),
    subscribed: await reason(one, subscriber),
    both: await reason(other, subscriber),
    invoiced: await reason(await createCorporateUser(app), invoiced),
    credited: await reason(one, credited),
    paying: await reason(await createCorporateUser(app), paying),
  }).toEqual({
    same: "This is the same account. Choose the customer's other account.",
    admin: "The account of an admin can't be merged.",
    archived: "The account of it is archived or merged already. Restore it first, or undo its merge.",
    keptArchived: "The account of it is archived or merged already. Restore it first, or undo its merge.",
    unconfirmed: "The address it isn't confirmed, so the account may be a stranger's.",
    types: "One account is regular, the other corporate. Change the user type of one of them first.",
    subscribed: "The account of it has a subscription. Keep that account and merge this one into it.",
    both: "Both accounts have a subscription. End one of them first, and refund it if that is due.",
    invoiced: "The account of it has an open or draft invoice. Settle, void or discard it first.",
    credited: "The account of it has credit. Use it or pay it back first.",
    paying: "A payment of it isn't complete yet. Try again in an hour.",
  });
  // The other way round is allowed.
  await merge(subscriber.id, one.id);
});

test("answers an unknown account and an unknown address", async () => {
  await expect(merge(kept.id, "00000000-0000-4000-8000-000000000000")).rejects.toMatchObject({ code: "NOT_FOUND" });
  const fields = { email: ["No account has this address."] };
  await expect(preview(kept.id, "nobody@example.com")).rejects.toMatchObject({ fields });
});

const expectRefusal = (id: string, message: string) =>
  expect(undo(id)).rejects.toMatchObject({ code: "CONFLICT", message });

test("undoing a merge gives everything back that still exists, and opens the account", async () => {
  const { licence, device, paid, contact, comment } = await fill(merged);
  await pool.query("update users set has_completed_trial = true where id = $1", [merged.id]);
  const own = await createLicence(app, kept);
  const id = await mergeBoth();
  await pool.query("delete from contacts where id = $1", [contact.id]);
  const later = await addComment(kept);
  expect(await send("accountMerges { id }", { userId: merged.id })).toEqual([{ id }]);
  expect((await undo(id)).merged).toEqual({ id: merged.id, isActive: true });
  expect(await ownersOf("licences", [licence.id, paid.id, own.id])).toEqual(["merged", "merged", "kept"]);
  expect(await ownersOf("comments", [comment, later])).toEqual(["merged", "kept"]);
  const { rows: states } = await pool.query("select suspended_at from licences where user_id = $1", [merged.id]);
  expect(states).toEqual([{ suspended_at: null }, { suspended_at: null }]);
  const { rows: trials } = await pool.query("select has_completed_trial from users where id = $1", [kept.id]);
  expect(trials).toEqual([{ has_completed_trial: false }]);
  expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(1);
  expect((await signInOf(merged)).status).toBe(200);
  await expectRefusal(id, "This merge has been undone already.");
  for (const { email } of [kept, merged]) {
    const [newest] = await listEmailsTo(app, email);
    expect(newest?.subject).toMatch(/^Your .+ accounts are separate again$/);
    expect(newest?.text).toContain(`${kept.email} and ${merged.email} each sign in to their own account again.`);
  }
  expect(await send("accountMerges { id }", { userId: kept.id })).toEqual([]);
  // It can be merged again.
  expect(await mergeBoth()).not.toBe(id);
});

test("undoing a merge keeps that the kept account has had a trial of its own since", async () => {
  await pool.query("update users set has_completed_trial = true where id = $1", [merged.id]);
  const id = await mergeBoth();
  // Staff allow another trial.
  await pool.query("update users set has_completed_trial = false where id = $1", [kept.id]);
  await send("startTrial { id }", { acceptedTheTerms: true }, await signInAs(app, kept));
  await undo(id);
  const { rows: trials } = await pool.query("select has_completed_trial from users where id = $1", [kept.id]);
  expect(trials).toEqual([{ has_completed_trial: true }]);
});

test.each(["merge", "undo"] as const)("refuses to %s for an admin who lost the admin type meanwhile", async (kind) => {
  const id = kind === "undo" ? await mergeBoth() : "";
  const { id: userId } = await createAdmin(app);
  const context = createContext(app.services, { actor: { userId, sessionId: userId, role: "admin" } });
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select from users where id = $1 for update", [kept.id]);
    const waiting = kind === "undo" ? undoMerge(context, id) : mergeAccounts(context, kept.id, merged.id);
    const refused = expect(waiting).rejects.toMatchObject({ code: "FORBIDDEN" });
    await pool.query("update users set member_type = 0 where id = $1", [userId]);
    await client.query("commit");
    await refused;
  } finally {
    client.release();
  }
});

test("undoing a merge is possible for 30 days by the database's clock", async () => {
  const id = await mergeBoth();
  await pool.query("update account_merges set merged_at = now() - interval '30 days 1 minute' where id = $1", [id]);
  await expectRefusal(id, "A merge can be undone for 30 days. This one is older.");
  await pool.query("update account_merges set merged_at = now() - interval '29 days 23 hours' where id = $1", [id]);
  await undo(id);
});

test("undoing a merge is refused when what moved can't be told apart any more", async () => {
  const licence = await createLicence(app, merged);
  const id = await mergeBoth();
  const set = (sql: string, ...values: unknown[]) => pool.query(sql, values);
  const subscription = await createSubscription(app, { id: licence.id, user: kept } as Licence);
  await expectRefusal(id, `A subscription of the kept account pays for the licence ${licence.supportCode}.`);
  await set("delete from subscriptions where id = $1", subscription.id);
  const terms = { licenceId: licence.id, productLevel: 2, numberOfUsers: 1, numberOfMachines: 1, until: "2030-06-30" };
  const draft = await createDraftInvoice(app, kept, { licence: terms });
  const invoiced = `An invoice of the kept account is for the licence ${licence.supportCode}. Void or discard it first.`;
  await expectRefusal(id, invoiced);
  await discardInvoice(app.context(), draft.id);
  const stranger = await createUser(app);
  await set("update licences set user_id = $2 where id = $1", licence.id, stranger.id);
  await expectRefusal(id, "A licence that the merge moved belongs to another account now.");
  await set("update licences set user_id = $2 where id = $1", licence.id, kept.id);
  // Merged further: first that merge has to be undone.
  const further = await merge(stranger.id, kept.id);
  await expectRefusal(id, "The kept account is archived or merged. Restore it first, or undo its merge.");
  await undo(further.id);
  await undo(id);
});

test("erasing the kept account erases the merged one, and ends the undo", async () => {
  await createRevokedLicence(app, merged);
  const id = await mergeBoth();
  expect(await send("eraseUser { user { id } }", { userId: kept.id })).toEqual({ user: { id: kept.id } });
  const { rows } = await pool.query("select user_id from erasures where user_id = any($1)", [[kept.id, merged.id]]);
  expect(rows).toHaveLength(2);
  await expectRefusal(id, "One of the accounts was erased, so the merge can't be undone.");
});
