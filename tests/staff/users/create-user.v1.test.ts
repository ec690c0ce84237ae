import { expect, test } from "vitest";
import { Deactivation } from "#api/licensing/devices/device.entity.ts";
import { TrialClaim } from "#api/licensing/trials/trial-claim.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { buildProfile, createAccountCalls, freshEmail } from "#tests/factories/account.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { buildRegistration, createSignedInAdmin, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const { user: admin, token } = await createSignedInAdmin(app, { firstName: "Grace", lastName: "Hopper" });

const { signIn, resetPassword } = createAccountCalls(app);
const find = (id: string) => em().findOneOrFail(User, id);
const details = async (id: string) => (await app.rest("GET", `/v1/users/${id}`, { token })).json;

const create = (changes: Record<string, unknown> = {}) =>
  app.rest("POST", "/v1/core/accounts/admin-create-user", {
    token,
    body: { ...buildRegistration(), memberType: 2, ...changes },
  });

test("creates a confirmed account, ignores a password and fields that staff can't set, and records it", async () => {
  const email = freshEmail();
  const values = { email, firstName: "Mary", isTester: true, referrer: "Trade fair" };
  const ignored = { id: admin.id, revision: 99, archivedAt: "2020-01-01" };
  const { status, json: id } = await create({ ...values, ...ignored });
  expect(status).toBe(200);
  expect(id).not.toBe(admin.id);
  const defaults = { memberType: 2, annualDeactivationLimit: 3, revision: 1, archivedAt: null };
  expect(await find(id)).toMatchObject({ ...values, ...defaults });
  expect(await details(id)).toMatchObject({ isActive: true, emailConfirmed: true });
  expect((await signIn(email)).status).toBe(400);
  const [entry] = await listAuditEntries(app, id);
  expect(entry).toMatchObject({ action: "create-user", subjectId: id, subjectName: "Mary Byron", before: null });
  expect(entry?.after).toMatchObject({ firstName: "Mary", memberType: 2 });
  expect(entry?.actorName).toBe(`Grace Hopper <${admin.email}>`);
  expect(JSON.stringify(entry)).not.toMatch(/assword|Planner-tasks-47|argon/);
});

test("emails an invitation to choose a password, which works for 7 days, once", async () => {
  const email = freshEmail();
  await create({ email, password: undefined, confirmPassword: undefined });
  const [mail] = await listEmailsTo(app, email);
  expect(mail?.subject).toContain("account is ready");
  expect(mail?.text).toContain("7 days");
  expect(`${mail?.text}${mail?.html}`).not.toContain(testPassword);
  const resetToken = await findEmailedSecret(app, email);
  const open = async (afterMs: number) => {
    app.clock.setOffset(afterMs);
    const { status } = await resetPassword(resetToken);
    app.clock.setOffset(0);
    return status;
  };
  expect([await open(7 * DAY + 1000), await open(7 * DAY - 60_000), await open(0)]).toEqual([400, 200, 400]);
});

test("emails the invitation again to an address that staff correct before anybody has signed in", async () => {
  const [mistyped, email, later] = [freshEmail(), freshEmail(), freshEmail()];
  const { json: id } = await create({ email: mistyped });
  const first = await findEmailedSecret(app, mistyped);
  const correct = (to: string) => {
    const input = buildProfile({ email: to, memberType: "CORPORATE", annualDeactivationLimit: 3 });
    return app.call("updateUser { id }", { id, input }, token);
  };
  await correct(email);
  expect((await listEmailsTo(app, email))[0]?.subject).toContain("account is ready");
  expect((await listEmailsTo(app, mistyped))[0]?.subject).toMatch(/has changed$/);
  expect((await resetPassword(first)).status).toBe(400);
  expect((await resetPassword(await findEmailedSecret(app, email), "Owner-is-here-1")).status).toBe(200);
  expect((await signIn(email, "Owner-is-here-1")).status).toBe(200);
  await correct(later);
  expect(await listEmailsTo(app, later)).toEqual([]);
});

test("creates one account from concurrent requests with the same address", async () => {
  const email = freshEmail();
  const responses = await Promise.all([create({ email }), create({ email: email.toUpperCase() }), create({ email })]);
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
  const expected = Array(2).fill({ email: ["Another account has this email address."] });
  expect(responses.filter(({ status }) => status === 400).map(({ json }) => json)).toEqual(expected);
});

test("allows another trial for the normalised email after hasCompletedTrial is cleared", async () => {
  const name = `trialist${Math.trunc(performance.now() * 1000)}`;
  const user = await createUser(app, { email: `${name}+work@gmail.com` });
  const body = await details(user.id);
  const theirs = await signInAs(app, user);
  const start = () => app.rest("POST", "/v1/subscriptions/create-trial", { token: theirs });
  const hashed = await app.services.pool.query("select hash_of_email($1) as value", [`${name}@gmail.com`]);
  const claims = () => em().count(TrialClaim, { value: hashed.rows[0].value });
  expect([(await start()).status, (await start()).status, await claims()]).toEqual([200, 409, 1]);
  const cleared = { ...body, hasCompletedTrial: false };
  expect((await app.rest("PUT", "/v1/users/admin/update-user", { token, body: cleared })).status).toBe(200);
  expect([await claims(), (await find(user.id)).hasCompletedTrial]).toEqual([0, false]);
  expect((await start()).status).toBe(200);
});

test("restores the full deactivation limit and records an audit entry after a reset", async () => {
  const user = await createUser(app);
  const licence = await createLicence(app, user, { numberOfMachines: 3 });
  for (let n = 0; n < 2; n++) {
    const manager = em();
    const device = await createDevice(app, licence, { freedAt: app.clock.now() });
    const at = addMilliseconds(app.clock.now(), -DAY);
    manager.create(Deactivation, { user: manager.getReference(User, user.id), device, at, by: "customer", reason: "" });
    await manager.flush();
  }
  const { status, json } = await app.rest("PATCH", `/v1/users/reset-deactivation-limit/${user.id}`, { token });
  expect([status, json]).toEqual([200, true]);
  const [entry] = await listAuditEntries(app, user.id);
  expect(entry).toMatchObject({
    action: "reset-deactivations",
    before: { deactivationsUsed: 2, deactivationsResetAt: null },
    after: { deactivationsUsed: 0 },
  });
  const call = "resetDeactivationCounter { limit used remaining nextFreeAt }";
  const counter = { limit: 3, used: 0, remaining: 3, nextFreeAt: null };
  expect(await app.call(call, { userId: user.id }, token)).toEqual(counter);
  expect((await listAuditEntries(app, user.id)).at(-1)?.before).not.toHaveProperty("deactivationsUsed");
});
