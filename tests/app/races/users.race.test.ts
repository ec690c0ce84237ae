import { LockMode } from "@mikro-orm/core";
import { expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { BlockedMachine, Deactivation } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addLicence } from "#api/licensing/licences/add-licence.ts";
import { changeSeats } from "#api/licensing/licences/update-licence.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { PromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { mergeAccounts, undoMerge } from "#api/staff/merges/merge-accounts.ts";
import { archiveUser } from "#api/staff/users/archive-user.ts";
import { unifyStoredUsers } from "#api/staff/users/unify-stored-users.ts";
import { MemberType } from "#schema/user.ts";
import { buildProfile } from "#tests/factories/account.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { atOnce, ROUNDS, sortStatuses } from "#tests/support/crowds.ts";
import { settle } from "#tests/support/retry.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateContexts, alternateProcesses } from "#tests/support/two-processes.ts";
import { waitForLock } from "#tests/support/wait-for-lock.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const em = () => app.services.orm.em.fork();

const oneWins = [200, 409, 409, 409, 409, 409];

const token = await signInAs(app, await createAdmin(app));
const forms = [1, 2, 3, 4, 5, 6];

test("saves one of six concurrent edits of the same revision of a contact, across two processes", async () => {
  const user = await createUser(app);
  const { id, firstName, lastName, email, contactType } = await createContact(app, user);
  const body = { userId: user.id, id, firstName, lastName, email, contactType };
  for (let round = 0; round < ROUNDS.of5; round++) {
    const { revision } = await em().findOneOrFail(Contact, id);
    const phones = forms.map((n) => `07 ${round}-${n}`);
    const save = (phone: string) => call("PUT", "/v1/users/contact", { ...body, phone, revision }, token);
    const answers = await Promise.all(phones.map(save));
    expect(sortStatuses(answers)).toEqual(oneWins);
    const phone = phones[answers.findIndex(({ status }) => status === 200)];
    expect(await em().findOneOrFail(Contact, id)).toMatchObject({ phone, revision: revision + 1 });
  }
  expect(await listAuditEntries(app, id)).toHaveLength(ROUNDS.of5);
});

test("saves one of six concurrent edits of the same revision of a promo code, across two processes", async () => {
  const { id, code } = await createPromoCode(app);
  for (let round = 0; round < ROUNDS.of5; round++) {
    const { revision } = await em().findOneOrFail(PromoCode, id);
    const lowest = (round % 2) * 10 + 20;
    const values = { id, code, discountType: 0, revision };
    const answers = await Promise.all(
      forms.map((n) => call("PUT", "/v1/promoCode", { ...values, discountValue: lowest + n }, token)),
    );
    expect(sortStatuses(answers)).toEqual(oneWins);
    const won = forms[answers.findIndex(({ status }) => status === 200)] ?? 0;
    const basisPoints = (lowest + won) * 100;
    expect(await em().findOneOrFail(PromoCode, id)).toMatchObject({ basisPoints, revision: revision + 1 });
  }
  expect(await listAuditEntries(app, id)).toHaveLength(ROUNDS.of5);
});

const activeAdmins = () => em().count(User, { memberType: 3, archivedAt: null, deletedAt: null });

const archiveAll = () => app.services.pool.query("update users set archived_at = now() where member_type = 3");

const archive = (id: string, token: string) => app.rest("PATCH", `/v1/users/${id}/archive`, { token });

test.each([0, 1])("keeps one of two admins who archive each other at once, while %i others remain", async (others) => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    await archiveAll();
    for (let n = 0; n < others; n++) await createAdmin(app);
    const [one, other] = [await createAdmin(app), await createAdmin(app)];
    const tokens = [await signInAs(app, one), await signInAs(app, other)] as const;
    const answers = await Promise.all([archive(other.id, tokens[0]), archive(one.id, tokens[1])]);
    expect(await activeAdmins()).toBe(1 + others);
    // The second request is rejected to protect the last admin, or because its sender is archived.
    expect(sortStatuses(answers)).toEqual([200, expect.toBeOneOf([401, 403, 409])]);
  }
});

test("keeps one of two owners who remove each other's role concurrently", async () => {
  const details = buildProfile();
  const removeRole = ({ id, email }: User, token: string) => {
    const input = { ...details, email, memberType: "ADMIN", annualDeactivationLimit: 3, staffRoles: ["SUPPORT"] };
    return app.graphql("updateUser { id }", { id, input }, token);
  };
  for (let round = 0; round < ROUNDS.of2; round++) {
    await archiveAll();
    await createAdmin(app, { staffRoles: ["support"] });
    const [one, other] = [await createAdmin(app), await createAdmin(app, { staffRoles: ["owner"] })];
    const tokens = [await signInAs(app, one), await signInAs(app, other)] as const;
    const answers = await Promise.all([removeRole(other, tokens[0]), removeRole(one, tokens[1])]);
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    const { rows } = await app.services.pool.query(
      "select from users where member_type = 3 and archived_at is null and (staff_roles = '{}' or 'owner' = any(staff_roles))",
    );
    expect(rows).toHaveLength(1);
  }
});

test("archives a customer once for concurrent requests of an admin", async () => {
  const admin = await createAdmin(app);
  const token = await signInAs(app, admin);
  const customer = await createUser(app);
  const answers = await atOnce(8, () => archive(customer.id, token));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  const { rows } = await app.services.pool.query("select from audit_entries where subject_id = $1", [customer.id]);
  expect(rows).toHaveLength(1);
});

function putUser(token: string, user: User, changes: Record<string, unknown>) {
  const { email, id, memberType } = user;
  const body = { ...buildProfile({ email }), id, memberType, annualDeactivationLimit: 3, ...changes };
  return call("PUT", "/v1/users/admin/update-user", body, token);
}

test("keeps one of two admins who demote each other concurrently, across two processes", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    await em().nativeUpdate(User, { memberType: MemberType.Admin }, { memberType: MemberType.Regular });
    const [one, other] = [await createAdmin(app), await createAdmin(app)];
    const [tokenOfOne, tokenOfOther] = [await signInAs(app, one), await signInAs(app, other)];
    const regular = { memberType: MemberType.Regular };
    const answers = await Promise.all([putUser(tokenOfOne, other, regular), putUser(tokenOfOther, one, regular)]);
    // The second request is rejected to protect the last admin, or because its sender is no longer an admin.
    expect(sortStatuses(answers)).toEqual([200, expect.toBeOneOf([403, 409])]);
    expect(await em().count(User, { memberType: MemberType.Admin })).toBe(1);
  }
});

test("saves one of six concurrent edits of the same revision of a user, across two processes", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of5; round++) {
    const { revision } = await em().findOneOrFail(User, user.id);
    const names = Array.from({ length: 6 }, (_, n) => `Name ${round}-${n}`);
    const answers = await Promise.all(names.map((companyName) => putUser(token, user, { companyName, revision })));
    expect(sortStatuses(answers)).toEqual(oneWins);
    const stored = await em().findOneOrFail(User, user.id);
    expect(stored.revision).toBe(revision + 1);
    expect(stored.companyName).toBe(names[answers.findIndex(({ status }) => status === 200)]);
  }
  expect(await em().count(AuditEntry, { userId: user.id })).toBe(ROUNDS.of5);
});

test("blocks a machine once for concurrent requests without a revision, across two processes", async () => {
  const token = await signInAs(app, await createAdmin(app));
  const user = await createUser(app);
  for (let round = 0; round < ROUNDS.of5; round++) {
    const list = (name: string) => ({ blockedMachines: [{ machineName: name }] });
    const name = `BNE-${round}`;
    const answers = await Promise.all([name, name.toLowerCase(), name].map((one) => putUser(token, user, list(one))));
    expect(sortStatuses(answers)).toEqual([200, 200, 200]);
    const blockedMachines = await em().find(BlockedMachine, { user: user.id });
    expect(blockedMachines.map(({ comparedName }) => comparedName)).toEqual([name.toLowerCase()]);
  }
});

const anyProcess = await alternateContexts(app);
const countOf = (userId: string) => em().count(Licence, { user: userId });

test("of concurrent merges of two accounts, in both directions, one succeeds, and so does one undo", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const [one, two] = [await createUser(app), await createUser(app)];
    for (const user of [one, two, two]) await createLicence(app, user);
    const merges = await atOnce(6, (index) => {
      const [kept, merged] = index % 2 === 0 ? [one, two] : [two, one];
      return settle(() => mergeAccounts(anyProcess(), kept.id, merged.id));
    });
    expect(merges.toSorted()).toEqual([...Array(5).fill("CONFLICT"), "done"]);
    expect(["0 and 3", "3 and 0"]).toContain(`${await countOf(one.id)} and ${await countOf(two.id)}`);
    const { rows } = await app.services.pool.query("select id from account_merges where merged_id = any($1)", [
      [one.id, two.id],
    ]);
    expect(rows).toHaveLength(1);
    const undone = await atOnce(4, () => settle(() => undoMerge(anyProcess(), rows[0].id)));
    expect(undone.toSorted()).toEqual(["CONFLICT", "CONFLICT", "CONFLICT", "done"]);
    expect([await countOf(one.id), await countOf(two.id)]).toEqual([1, 2]);
  }
});

test("a merge concurrent with changes of the merged account loses no licence and leaves none open there", async () => {
  for (let round = 0; round < ROUNDS.of5; round++) {
    const [kept, merged] = [await createUser(app), await createUser(app)];
    const licence = await createLicence(app, merged);
    const types = { productLevel: 2, licenceType: 1, licenceCategory: 1, licenceActivationType: 0 };
    const limits = { numberOfUsers: 1, numberOfMachines: 1, allowOnVms: false };
    const floating = { limitFloatingLeasePeriodToHours: 0, floatingHeartBeatIntervalMinutes: 15 };
    const expiryDate = addMilliseconds(app.clock.now(), 30 * DAY);
    const terms = { ...types, ...limits, ...floating, expiryDate, projectTerm: "", purchaseOrderNumber: "" };
    const seats = { numberOfUsers: 1, numberOfMachines: 3, allowOnVms: false };
    const results = await Promise.all([
      settle(() => addLicence(anyProcess(), merged.id, terms as never)),
      settle(() => mergeAccounts(anyProcess(), kept.id, merged.id)),
      settle(() => changeSeats(anyProcess(), merged.id, licence.id, seats)),
      settle(() => addLicence(anyProcess(), merged.id, terms as never)),
    ]);
    const [first, merge, changed, second] = results;
    expect(merge).toBe("done");
    // What came too late is refused, and what came in time moved.
    for (const added of [first, second]) expect(["done", "CONFLICT"]).toContain(added);
    expect(["done", "NOT_FOUND"]).toContain(changed);
    const inTime = [first, second].filter((result) => result === "done").length;
    expect([await countOf(kept.id), await countOf(merged.id)]).toEqual([1 + inTime, 0]);
  }
});

test.each([
  ["activate", {}],
  ["usage", { events: [{ id: "c-1", kind: "conversion", atUtc: app.clock.now().toISOString() }] }],
  ["move/code", {}],
  ["deactivate", { reason: "Device change" }],
])("answers %s for the new owner of a licence that moves to another account meanwhile", async (asked, more) => {
  const [kept, merged] = [await createUser(app), await createUser(app)];
  const licence = await createLicence(app, merged);
  const device = await createDevice(app, licence);
  const moving = await app.context().em.transactional(async (manager) => {
    const locked = await manager.findOneOrFail(Licence, licence.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const answer = callAddinFrom(app, device, asked, licence, more);
    await waitForLock(app);
    locked.user = manager.getReference(User, kept.id);
    return { answer };
  });
  expect((await moving.answer).json.data.resultCode).toBe(1);
  expect(await em().count(Deactivation, { user: merged.id })).toBe(0);
});

test("a merge and the archiving of one of the accounts end in one of their two orders", async () => {
  for (let round = 0; round < ROUNDS.of2; round++) {
    const [kept, merged] = [await createUser(app), await createUser(app)];
    const licence = await createLicence(app, merged);
    const [merge, archived] = await Promise.all([
      settle(() => mergeAccounts(anyProcess(), kept.id, merged.id)),
      settle(() => archiveUser(anyProcess(), merged.id)),
    ]);
    expect(archived).toBe("done");
    const { rows } = await app.services.pool.query("select user_id, suspended_at from licences where id = $1", [
      licence.id,
    ]);
    if (merge === "done") expect(rows).toEqual([{ user_id: kept.id, suspended_at: null }]);
    else expect([merge, rows]).toEqual(["CONFLICT", [{ user_id: merged.id, suspended_at: expect.any(String) }]]);
  }
});

test("unifying stored addresses keeps the one that a user gets meanwhile", async () => {
  const [stored, next] = ["zoe\u0308@example.com", "zoe@example.com"];
  const user = await createUser(app, { email: stored, signInEmail: stored });
  const unifying = await em().transactional(async (manager) => {
    const locked = await manager.findOneOrFail(User, user.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const sweep = runSweep(app.services, unifyStoredUsers);
    await waitForLock(app);
    Object.assign(locked, { email: next, signInEmail: next });
    return { sweep };
  });
  await unifying.sweep;
  expect(await em().findOneOrFail(User, user.id)).toMatchObject({ email: next, signInEmail: next });
});
