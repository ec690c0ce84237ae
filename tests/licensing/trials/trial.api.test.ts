import { describe, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { isWellFormedLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { DAY, MINUTE } from "#api/platform/clock.ts";
import { callAddin, buildMachine } from "#tests/factories/addin.ts";
import { createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();

const hadTrial =
  "Sorry, you have already completed a trial. If you would like to request a trial extension, please contact us.";
const subscribed =
  "Sorry, you have an existing subscription so you can no longer complete a trial. Please contact us if you require assistance.";

const start = async (user: User, acceptedTheTerms = true) =>
  app.graphql(
    "mutation ($a: Boolean!) { startTrial(acceptedTheTerms: $a) { id licenceCode status subscriptionLevel expiresAt } }",
    { a: acceptedTheTerms },
    await signInAs(app, user),
  );
const eligibility = async (user: User) => {
  const query = "{ trialEligibility { hasCompletedTrial hasActiveSubscription daysLeft licence { licenceCode } } }";
  return (await app.graphql(query, {}, await signInAs(app, user))).data.trialEligibility;
};
const clearTrial = (user: User) => em().nativeUpdate(User, user.id, { hasCompletedTrial: false });

describe("starting a trial", () => {
  test("creates a licence for one device with exactly 14 days and 20 conversions", async () => {
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

  test("counts the days left, until the trial ends or its conversions are used", async () => {
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

  test("requires acceptance of the terms", async () => {
    const user = await createUser(app);
    const { errors } = await start(user, false);
    expect(errors?.[0]?.extensions).toEqual({
      code: "BAD_USER_INPUT",
      fields: { acceptedTheTerms: ["Please accept the terms and conditions."] },
    });
    expect(await em().count(Licence, { user: user.id })).toBe(0);
  });
});

describe("refusing a trial", () => {
  test("refuses accounts with an earlier trial or a subscription", async () => {
    const user = await createUser(app);
    await start(user);
    const { errors } = await start(user);
    expect(errors?.[0]).toMatchObject({ message: hadTrial, extensions: { code: "CONFLICT" } });
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

  test("refuses the owner of a device that had another account's trial", async () => {
    const used = buildMachine();
    const { data } = await start(await createUser(app));
    await callAddin(app, "activate", data.startTrial, { machine: used });
    const other = await createUser(app);
    const paid = await createLicence(app, other);
    await callAddin(app, "activate", paid, { machine: used });
    expect((await eligibility(other)).hasCompletedTrial).toBe(true);
    expect((await start(other)).errors?.[0]?.message).toBe(hadTrial);
  });
});

describe("one trial per device", () => {
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
    const disguised = {
      ...used,
      fingerprint: "another-print",
      components: { ...used.components, mac: "x", disk: "y" },
    };
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
    expect(await activateOn(await startNewTrial(), used)).toBe(40);
    expect(await activateOn(first, used)).toBe(1);
  });
});

test("allows another trial with the same email and device after hasCompletedTrial is cleared", async () => {
  const user = await createUser(app);
  const used = buildMachine();
  const first = (await start(user)).data.startTrial;
  await callAddin(app, "activate", first, { machine: used });
  await clearTrial(user);
  expect((await eligibility(user)).hasCompletedTrial).toBe(false);
  const second = (await start(user)).data.startTrial;
  expect(second.licenceCode).not.toBe(first.licenceCode);
  expect((await callAddin(app, "activate", second, { machine: used })).json.data.resultCode).toBe(1);
  // The claims now belong to the second trial, so other accounts are still refused.
  const other = (await start(await createUser(app))).data.startTrial;
  expect((await callAddin(app, "activate", other, { machine: used })).json.data.resultCode).toBe(40);
});

describe("trials over REST", () => {
  const createTrial = "/v1/subscriptions/create-trial";
  const checkTrial = "/v1/subscriptions/check-trial";

  test("GET and POST create-trial return the licence code once and forbid caching the response", async () => {
    for (const method of ["GET", "POST"]) {
      const user = await createUser(app);
      const token = await signInAs(app, user);
      expect((await app.rest("GET", checkTrial, { token })).json).toBe(false);
      const { status, json, headers } = await app.rest(method, createTrial, { token });
      expect(status).toBe(200);
      expect(isWellFormedLicenceCode(json)).toBe(true);
      expect(headers.get("cache-control")).toBe("no-store");
      expect((await app.rest("GET", checkTrial, { token })).json).toBe(true);
      expect((await app.rest("GET", `/v1/licence/${user.id}`, { token })).json).toMatchObject([
        { licenceCode: json, subscriptionLevel: "Trial", status: "ACTIVE" },
      ]);
      const again = await app.rest(method, createTrial, { token });
      expect(again.status).toBe(409);
      expect(again.json).toEqual({ Message: hadTrial, requestId: expect.any(String) });
    }
  });
});
