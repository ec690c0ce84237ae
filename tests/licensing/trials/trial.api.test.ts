import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { isWellFormedLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { DAY, MINUTE, addMilliseconds } from "#api/platform/clock.ts";
import { callAddin, buildMachine } from "#tests/factories/addin.ts";
import { createLicence, createSubscription, createTrialLicence } from "#tests/factories/licence.ts";
import { createSignedIn, createUser, signInAs, createAdmin } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { listLicenceEvents } from "#tests/factories/subscription.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { emailTrialEnds } from "#api/licensing/trials/email-trial-ends.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();

const hadTrial =
  "Sorry, you have already completed a trial. If you would like to request a trial extension, please contact us.";
const subscribed =
  "Sorry, you have an existing subscription so you can no longer complete a trial. Please contact us if you require assistance.";

const trialFields = "id licenceCode status subscriptionLevel expiresAt";
const start = async (user: User, acceptedTheTerms = true) =>
  app.graphql(`startTrial { ${trialFields} }`, { acceptedTheTerms }, await signInAs(app, user));
const eligibility = async (user: User) => {
  const fields = "hasCompletedTrial hasActiveSubscription daysLeft licence { licenceCode }";
  return (await app.graphql(`trialEligibility { ${fields} }`, {}, await signInAs(app, user))).data.trialEligibility;
};

test("starting a trial creates a licence for one device with exactly 14 days and 20 conversions", async () => {
  const user = await createUser(app);
  expect(await eligibility(user)).toEqual({
    hasCompletedTrial: false,
    hasActiveSubscription: false,
    daysLeft: null,
    licence: null,
  });
  const { data, errors } = await start(user);
  expect(errors).toBeUndefined();
  expect(data.startTrial).toMatchObject({ status: "ACTIVE", subscriptionLevel: "Trial" });
  const licence = await em().findOneOrFail(Licence, data.startTrial.id);
  expect(licence).toMatchObject({
    productLevel: 3,
    licenceType: 1,
    numberOfUsers: 1,
    numberOfMachines: 1,
    usageLimit: 20,
    usageCount: 0,
  });
  expect(Math.round((licence.expiresAt.getTime() - licence.createdAt.getTime()) / MINUTE)).toBe((14 * DAY) / MINUTE);
  const emails = await listEmailsTo(app, user.email);
  expect(emails).toHaveLength(1);
  expect(emails[0]?.text).toContain(licence.licenceCode);
  expect((await em().findOneOrFail(User, user.id)).hasCompletedTrial).toBe(true);
  expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "issue" })).toBe(1);
  expect(await eligibility(user)).toEqual({
    hasCompletedTrial: true,
    hasActiveSubscription: false,
    daysLeft: 14,
    licence: { licenceCode: licence.licenceCode },
  });
});

test("starting a trial counts the days left, until the trial ends or its conversions are used", async () => {
  const user = await createUser(app);
  const { data } = await start(user);
  const setEndIn = (ms: number) =>
    em().nativeUpdate(Licence, data.startTrial.id, { expiresAt: new Date(app.services.clock.now().getTime() + ms) });
  await setEndIn(12 * DAY - MINUTE);
  expect(await eligibility(user)).toMatchObject({ daysLeft: 12 });
  await setEndIn(MINUTE);
  expect(await eligibility(user)).toMatchObject({ daysLeft: 1 });
  await em().nativeUpdate(Licence, data.startTrial.id, { usageCount: 20 });
  expect(await eligibility(user)).toMatchObject({ daysLeft: null });
  await em().nativeUpdate(Licence, data.startTrial.id, { usageCount: 0 });
  await setEndIn(-MINUTE);
  expect(await eligibility(user)).toMatchObject({ daysLeft: null, hasCompletedTrial: true });
});

test("starting a trial requires acceptance of the terms", async () => {
  const user = await createUser(app);
  const { errors } = await start(user, false);
  expect(errors?.[0]?.extensions).toEqual({
    code: "BAD_USER_INPUT",
    fields: { acceptedTheTerms: ["Please accept the terms and conditions."] },
  });
  expect(await em().count(Licence, { user: user.id })).toBe(0);
});

test("refuses accounts with an earlier trial or a subscription", async () => {
  const user = await createUser(app);
  await start(user);
  expect((await start(user)).errors?.[0]).toMatchObject({ message: hadTrial, extensions: { code: "CONFLICT" } });
  expect(await em().count(Licence, { user: user.id })).toBe(1);
  expect(await listEmailsTo(app, user.email)).toHaveLength(1);

  const subscriber = await createUser(app);
  await createSubscription(app, await createLicence(app, subscriber));
  expect((await start(subscriber)).errors?.[0]).toMatchObject({
    message: subscribed,
    extensions: { code: "CONFLICT" },
  });
  expect(await eligibility(subscriber)).toMatchObject({ hasCompletedTrial: false, hasActiveSubscription: true });
});

test("allows accounts with a cancelled subscription", async () => {
  const user = await createUser(app);
  await createSubscription(app, await createLicence(app, user), { status: "cancelled" });
  expect((await start(user)).errors).toBeUndefined();
});

test("refuses another email address for the same mailbox", async () => {
  await start(await createUser(app, { email: "Grace.Hopper@gmail.com" }));
  const again = await createUser(app, { email: "gracehopper+second@googlemail.com" });
  expect((await eligibility(again)).hasCompletedTrial).toBe(true);
  expect((await start(again)).errors?.[0]?.message).toBe(hadTrial);
  expect(await em().count(Licence, { user: again.id })).toBe(0);
});

test("refuses a mailbox whose trial was stored before domains were written in ASCII", async () => {
  const { data } = await start(await createUser(app, { email: "ada@xn--bcher-kva.example" }));
  await app.services.pool.query(
    "update trial_claims set value = hash_of_email('ada@bücher.example') where kind = 'email' and licence_id = $1",
    [data.startTrial.id],
  );
  const again = await createUser(app, { email: "ada+second@xn--bcher-kva.example" });
  expect((await start(again)).errors?.[0]?.message).toBe(hadTrial);
});

test("refuses the owner of a device that had another account's trial", async () => {
  const used = buildMachine();
  await callAddin(app, "activate", (await start(await createUser(app))).data.startTrial, { machine: used });
  const changed = { ...used.components, mac: "other", disk: "other" };
  for (const machine of [used, { ...used, fingerprint: "changed-print", components: changed }]) {
    const other = await createUser(app);
    for (const activated of [buildMachine(), machine])
      await callAddin(app, "activate", await createLicence(app, other), { machine: activated });
    expect((await eligibility(other)).hasCompletedTrial).toBe(true);
    expect((await start(other)).errors?.[0]?.message).toBe(hadTrial);
  }
});

test("tells devices apart whose fingerprints, which aren't hexadecimal, differ in letter case", async () => {
  const { data } = await start(await createUser(app));
  await callAddin(app, "activate", data.startTrial, { machine: buildMachine({ fingerprint: "workshop-pc-one" }) });
  const other = await createUser(app);
  const machine = buildMachine({ fingerprint: "Workshop-PC-One" });
  await callAddin(app, "activate", await createLicence(app, other), { machine });
  expect((await eligibility(other)).hasCompletedTrial).toBe(false);
});

const startNewTrial = async () => (await start(await createUser(app))).data.startTrial as Licence;
const activateOn = async (licence: Pick<Licence, "licenceCode">, changes: object) =>
  (await callAddin(app, "activate", licence, { machine: changes })).json.data.resultCode;

test("refuses another account's trial on a device with the same fingerprint", async () => {
  const used = buildMachine();
  expect(await activateOn(await startNewTrial(), used)).toBe(1);
  expect(await activateOn(await startNewTrial(), { ...used, components: undefined })).toBe(40);
  expect(await activateOn(await startNewTrial(), buildMachine({ machineName: used.machineName }))).toBe(1);
  // A paid licence works on the device.
  expect(await activateOn(await createLicence(app, await createUser(app)), used)).toBe(1);
});

test("refuses another account's trial on a device with the same components", async () => {
  const used = buildMachine();
  expect(await activateOn(await startNewTrial(), used)).toBe(1);
  const disguised = { ...used, fingerprint: "another-print", components: { ...used.components, mac: "x", disk: "y" } };
  expect(await activateOn(await startNewTrial(), disguised)).toBe(40);
  const sharesOne = buildMachine({ components: { ...buildMachine().components, cpu: used.components.cpu } });
  expect(await activateOn(await startNewTrial(), sharesOne)).toBe(1);
});

test("allows another account's trial on a device that shares only values that identify nothing", async () => {
  const components = {
    board: "Default string",
    disk: "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
  };
  const used = buildMachine({ components: { ...components, cpu: "ABCDEF01", mac: "0A:1B:2C:3D:4E:5F" } });
  expect(await activateOn(await startNewTrial(), used)).toBe(1);
  expect(await activateOn(await startNewTrial(), buildMachine({ components }))).toBe(1);
  const disguised = buildMachine({ components: { ...components, cpu: "abcdef01", mac: "0a:1b:2c:3d:4e:5f" } });
  expect(await activateOn(await startNewTrial(), disguised)).toBe(40);
});

test("refuses another account's trial after the device was deactivated", async () => {
  const used = buildMachine();
  const first = await startNewTrial();
  const { machineToken } = (await callAddin(app, "activate", first, { machine: used })).json.data;
  await callAddin(app, "deactivate", first, { machine: used, machineToken, reason: "Device change" });
  expect([await activateOn(await startNewTrial(), used), await activateOn(first, used)]).toEqual([40, 1]);
});

test("allows another trial with the same email and device after hasCompletedTrial is cleared", async () => {
  const user = await createUser(app);
  const used = buildMachine();
  const first = (await start(user)).data.startTrial;
  await callAddin(app, "activate", first, { machine: used });
  await em().nativeUpdate(User, user.id, { hasCompletedTrial: false });
  expect((await eligibility(user)).hasCompletedTrial).toBe(false);
  const second = (await start(user)).data.startTrial;
  expect(second.licenceCode).not.toBe(first.licenceCode);
  expect((await callAddin(app, "activate", second, { machine: used })).json.data.resultCode).toBe(1);
  // The claims now belong to the second trial, so other accounts are still refused.
  const other = (await start(await createUser(app))).data.startTrial;
  expect((await callAddin(app, "activate", other, { machine: used })).json.data.resultCode).toBe(40);
});

const createTrial = "/v1/subscriptions/create-trial";
const checkTrial = "/v1/subscriptions/check-trial";

test("GET and POST create-trial return the licence code once and forbid caching the response", async () => {
  for (const method of ["GET", "POST"]) {
    const { user, token } = await createSignedIn(app);
    expect((await app.rest("GET", checkTrial, { token })).json).toBe(false);
    const { status, json, headers } = await app.rest(method, createTrial, { token });
    expect([status, isWellFormedLicenceCode(json), headers.get("cache-control")]).toEqual([200, true, "no-store"]);
    expect((await app.rest("GET", checkTrial, { token })).json).toBe(true);
    expect((await app.rest("GET", `/v1/licence/${user.id}`, { token })).json).toMatchObject([
      { licenceCode: json, subscriptionLevel: "Trial", status: "ACTIVE" },
    ]);
    const again = await app.rest(method, createTrial, { token });
    expect([again.status, again.json]).toEqual([409, { Message: hadTrial, requestId: expect.any(String) }]);
  }
});

const inDays = (days: number) => addMilliseconds(app.clock.now(), days * DAY);

async function extend({ id, user, expiresAt, usageLimit }: Licence, input: object = {}, owner = user.id) {
  const terms = { expiresAt: expiresAt.toISOString().replace("Z", ""), usageLimit }; // In UTC without an offset.
  const args = { userId: owner, licenceId: id, input: { reason: "Asked by phone", ...input }, terms };
  const admin = await signInAs(app, await createAdmin(app));
  const { data, errors } = await app.graphql("extendTrial { id expiresAt usageLimit }", args, admin);
  return { extended: data?.extendTrial, code: errors?.[0]?.extensions.code, fields: errors?.[0]?.extensions.fields };
}

test("adds days to the end of a trial and conversions to its limit, once, with the reason in the audit log", async () => {
  const trial = await createTrialLicence(app, await createUser(app), { expiresAt: inDays(2), usageLimit: 20 });
  const { extended } = await extend(trial, { days: 7, conversions: 10 });
  const expiresAt = addMilliseconds(trial.expiresAt, 7 * DAY);
  expect(extended).toEqual({ id: trial.id, expiresAt: expiresAt.toISOString(), usageLimit: 30 });
  // The terms that the caller saw are no longer the trial's.
  expect((await extend(trial, { days: 7 })).code).toBe("CONFLICT");
  const extendedTrial = await em().findOneOrFail(Licence, trial.id);
  expect(extendedTrial).toMatchObject({ expiresAt, usageLimit: 30 });
  const entries = await listAuditEntries(app, trial.id);
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ["extend-trial", { expiresAt: expiresAt.toISOString(), usageLimit: 30, reason: "Asked by phone" }],
  ]);
  expect((await extend(extendedTrial, { conversions: 1 })).extended.usageLimit).toBe(31);
  expect(await listLicenceEvents(app, trial.id)).toEqual(["extend", "change", "change"]);
});

test("extends a trial that has ended from now, and reminds the customer of the new end", async () => {
  const user = await createUser(app);
  const trial = await createTrialLicence(app, user, { expiresAt: inDays(-5) });
  await runSweep(app.services, emailTrialEnds);
  // The same end isn't announced again.
  await extend(trial, { conversions: 5 });
  await runSweep(app.services, emailTrialEnds);
  const before = app.clock.now();
  const raised = await em().findOneOrFail(Licence, trial.id);
  const end = Date.parse((await extend(raised, { days: 2 })).extended.expiresAt);
  expect(end).toBeGreaterThanOrEqual(addMilliseconds(before, 2 * DAY).getTime());
  expect(end).toBeLessThan(addMilliseconds(before, 3 * DAY).getTime());
  await runSweep(app.services, emailTrialEnds);
  app.clock.setOffset(3 * DAY);
  await runSweep(app.services, emailTrialEnds);
  app.clock.setOffset(0);
  const subjects = (await listEmailsTo(app, user.email)).map(({ subject }) => subject.replace(/^.*trial /, ""));
  expect(subjects).toEqual(["has ended", "ends soon", "has ended"]);
});

test("refuses a licence that isn't a trial, a deactivated trial, an archived owner, and a strange licence", async () => {
  const user = await createUser(app);
  const paid = await createLicence(app, user, { expiresAt: inDays(2) });
  const revoked = await createTrialLicence(app, user, { revokedAt: app.clock.now() });
  const ofArchived = await createTrialLicence(app, await createUser(app, { archivedAt: app.clock.now() }));
  for (const licence of [paid, revoked, ofArchived])
    expect((await extend(licence, { days: 7 })).code, licence.id).toBe("CONFLICT");
  const strange = await createTrialLicence(app, await createUser(app));
  expect((await extend(strange, { days: 1 }, user.id)).code).toBe("NOT_FOUND");
});

test("needs days or conversions within their limits, and a reason", async () => {
  const trial = await createTrialLicence(app, await createUser(app));
  for (const [input, field] of [
    [{}, "days"],
    [{ days: 91 }, "days"],
    [{ days: -1 }, "days"],
    [{ conversions: 1_001 }, "conversions"],
    [{ days: 1, reason: " " }, "reason"],
  ] as const) {
    const { code, fields } = await extend(trial, input);
    expect([input, code, Object.keys(fields ?? {})]).toEqual([input, "BAD_USER_INPUT", [field]]);
  }
});
