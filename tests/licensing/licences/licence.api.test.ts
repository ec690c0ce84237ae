import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { issueLicence } from "#api/licensing/licences/issue-licence.ts";
import { isWellFormedLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { getErrorCode } from "#tests/factories/account.ts";
import { createDevice, createLicence, createRevokedLicence } from "#tests/factories/licence.ts";
import { advanceTime, cards, createSubscriber, loadSubscription } from "#tests/factories/subscription.ts";
import { createAdmin, createUser, signInAs, createSignedIn } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { user, token } = await createSignedIn(app);
const admin = await signInAs(app, await createAdmin(app));

test("shows its owner its fields and its active devices", async () => {
  const licence = await createLicence(app, user, { numberOfMachines: 2 });
  const device = await createDevice(app, licence);
  await createDevice(app, licence, { freedAt: app.clock.now() });
  const fields =
    "id licenceCode product subscriptionLevel status features expiresAt devices { id machineName lastSeenAt }";
  const { data, errors } = await app.graphql(`licence { ${fields} }`, { id: licence.id }, token);
  expect(errors).toBeUndefined();
  expect(data.licence).toEqual({
    id: licence.id,
    licenceCode: licence.licenceCode,
    product: "Planvarro",
    subscriptionLevel: "Professional",
    status: "ACTIVE",
    features: ["SCHEDULE", "HEALTH_CHECKS", "COSTS", "RESOURCES"],
    expiresAt: licence.expiresAt.toISOString(),
    devices: [{ id: device.id, machineName: device.machineName, lastSeenAt: device.lastSeenAt.toISOString() }],
  });
});

test("shows the usage left, which can't be negative", async () => {
  for (const [usageLimit, usageCount, usageRemaining] of [
    [20, 3, 17],
    // Usage that is reported late is still recorded, and may exceed the limit.
    [20, 23, 0],
    [null, 3, null],
  ] as const) {
    const { id } = await createLicence(app, user, { usageLimit, usageCount });
    expect((await app.graphql("licence { usageLimit usageRemaining }", { id }, token)).data.licence).toEqual({
      usageLimit,
      usageRemaining,
    });
  }
});

test("issues a licence with a code, the defaults and its first event", async () => {
  const context = app.context();
  const licence = await context.em.transactional(async (em) =>
    issueLicence(context, em, await em.findOneOrFail(User, user.id), {
      productLevel: 0,
      expiresAt: addMilliseconds(app.clock.now(), DAY),
    }),
  );
  expect(isWellFormedLicenceCode(licence.licenceCode)).toBe(true);
  expect(licence).toMatchObject({
    licenceType: 1,
    licenceCategory: 1,
    licenceActivationType: 0,
    numberOfUsers: 1,
    numberOfMachines: 1,
    limitFloatingLeasePeriodToHours: 0,
    floatingHeartBeatIntervalMinutes: 15,
    allowOnVms: false,
    usageLimit: null,
  });
  const events = await app.services.orm.em.fork().find(LicenceEvent, { licenceId: licence.id });
  expect(events).toMatchObject([{ kind: "issue", resultCode: 1 }]);
});

test("the list of a user's licences has the same fields for customers and admins", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner, {
    expiresAt: new Date("2031-03-05T23:30:00.000Z"),
    purchaseOrderNumber: "PO-7",
    licenceType: 4,
    projectTerm: "Stage 2",
  });
  const { status, json } = await app.rest("GET", `/v1/licence/${owner.id}`, { token: await signInAs(app, owner) });
  expect(status).toBe(200);
  expect(json).toEqual([
    {
      id: licence.id,
      licenceCode: licence.licenceCode,
      product: "Planvarro",
      subscriptionLevel: "Professional",
      expiryDate: "05 March, 2031",
      unformattedExpiryDate: "2031-03-05T23:30:00.000Z",
      licenceType: "Project",
      licenceCategory: "None",
      purchaseOrderNumber: "PO-7",
      projectTerm: "Stage 2",
      status: "ACTIVE",
      productLevel: 2,
      licenceTypeValue: 4,
      licenceCategoryValue: 1,
      licenceActivationType: 0,
      numberOfUsers: 1,
      numberOfMachines: 1,
      limitFloatingLeasePeriodToHours: 0,
      floatingHeartBeatIntervalMinutes: 15,
      allowOnVms: false,
    },
  ]);
  expect((await app.rest("GET", `/v1/licence/${owner.id}`, { token: admin })).json).toEqual(json);
});

test("lists the newest licences first, includes revoked ones with their status, and is empty without licences", async () => {
  const { user: owner, token: ownToken } = await createSignedIn(app);
  expect((await app.rest("GET", `/v1/licence/${owner.id}`, { token: ownToken })).json).toEqual([]);
  const old = await createRevokedLicence(app, owner, { createdAt: new Date("2024-01-01T00:00:00Z") });
  const recent = await createLicence(app, owner);
  const { json } = await app.rest("GET", `/v1/licence/${owner.id.toUpperCase()}`, { token: ownToken });
  expect(json.map((row: { id: string; status: string }) => [row.id, row.status])).toEqual([
    [recent.id, "ACTIVE"],
    [old.id, "REVOKED"],
  ]);
});

test("lists active devices in the order of activation, with their id also as tempId", async () => {
  const licence = await createLicence(app, user, { numberOfMachines: 3 });
  const second = await createDevice(app, licence, {
    machineName: "SITE-PC|domain",
    activatedAt: new Date("2025-02-01T00:00:00Z"),
    lastSeenAt: new Date("2025-03-05T01:02:03.004Z"),
  });
  const first = await createDevice(app, licence, { activatedAt: new Date("2025-01-01T00:00:00Z") });
  await createDevice(app, licence, { freedAt: app.clock.now() });
  const { status, json } = await app.rest("GET", `/v1/licence/machines/${licence.id}`, { token });
  expect([status, json.map((row: { id: string }) => row.id)]).toEqual([200, [first.id, second.id]]);
  expect(json[1]).toEqual({
    id: second.id,
    tempId: second.id,
    machineName: "SITE-PC|domain",
    lastSeenDateTimeUtc: "2025-03-05T01:02:03.004Z",
    activatedDateTimeUtc: "2025-02-01T00:00:00.000Z",
  });
  expect((await app.rest("GET", `/v1/licence/machines/${licence.id}`, { token: admin })).json).toEqual(json);
});

test("a support code finds the licence for an admin, however the code is typed", async () => {
  const licence = await createLicence(app, user);
  const typed = ` ${licence.supportCode.toLowerCase().replace("-", " ")} `;
  expect(
    (await app.graphql("licenceBySupportCode { id supportCode }", { code: typed }, admin)).data.licenceBySupportCode,
  ).toEqual({ id: licence.id, supportCode: licence.supportCode });
  for (const code of ["S-00000000", "", "S-' or 1=1", "\u0000"])
    expect(getErrorCode(await app.graphql("licenceBySupportCode { id supportCode }", { code }, admin))).toBe(
      "NOT_FOUND",
    );
});

const loadPeriod = async (token: string) =>
  (await app.call("me { licences { expiresAt periodEndsAt renewal } }", {}, token)).licences[0];

test("ends the period of a subscribed licence three days before it expires, and keeps a date set by staff", async () => {
  const { token: own, subscription, licence } = await createSubscriber(app);
  const em = app.services.orm.em.fork();
  const periodEndsAt = subscription.currentPeriodEndsAt.toISOString();
  const period = await loadPeriod(own);
  expect(period).toMatchObject({ renewal: "RENEWS", periodEndsAt });
  expect(Date.parse(period.expiresAt) - Date.parse(periodEndsAt)).toBe(3 * DAY);
  await app.rest("PATCH", "/v1/subscriptions/cancel-subscription", { token: own });
  expect(await loadPeriod(own)).toMatchObject({ renewal: "ENDS", periodEndsAt });
  await em.nativeUpdate(Subscription, subscription.id, { status: "cancelled" });
  expect(await loadPeriod(own)).toMatchObject({ renewal: "NONE", periodEndsAt });
  for (const days of [-1, 30]) {
    const expiresAt = addMilliseconds(licence.expiresAt, days * DAY);
    await em.nativeUpdate(Licence, licence.id, { expiresAt });
    expect(await loadPeriod(own)).toMatchObject({ renewal: "NONE", periodEndsAt: expiresAt.toISOString() });
  }
});

test("ends the period of other licences when they expire, and reads those of a list in one statement", async () => {
  const { user: owner, token: own } = await createSignedIn(app);
  for (let n = 0; n < 3; n += 1) await createLicence(app, owner);
  let period: Record<string, string> = {};
  const statements = await recordStatements(async () => {
    period = await loadPeriod(own);
  });
  expect(statements.filter((text) => /"subscriptions"/.test(text))).toHaveLength(1);
  expect(period).toMatchObject({ renewal: "NONE", periodEndsAt: period.expiresAt });
});

test("shows the payment as due since the end of the paid period after a failed renewal", async () => {
  const { user: owner, subscription } = await createSubscriber(app, { cardNumber: cards.failsLater });
  await advanceTime(app, 32);
  expect((await loadSubscription(app, owner.id)).subscription.status).toBe("past_due");
  const periodEndsAt = subscription.currentPeriodEndsAt.toISOString();
  expect(await loadPeriod(await signInAs(app, owner))).toMatchObject({ renewal: "PAYMENT_DUE", periodEndsAt });
});
