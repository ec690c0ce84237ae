import { describe, expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { issueLicence } from "#api/licensing/licences/issue-licence.ts";
import { isWellFormedLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import {
  createDevice,
  createExpiredLicence,
  createLicence,
  createRevokedLicence,
  createSuspendedLicence,
} from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);

const byId = `query ($id: ID!) { licence(id: $id) {
  id licenceCode product subscriptionLevel status features expiresAt devices { id machineName lastSeenAt }
} }`;

describe("licence over GraphQL", () => {
  test("shows its owner its fields and its active devices", async () => {
    const licence = await createLicence(app, user, { numberOfMachines: 2 });
    const device = await createDevice(app, licence);
    await createDevice(app, licence, { freedAt: app.clock.now() });
    const { data, errors } = await app.graphql(byId, { id: licence.id }, token);
    expect(errors).toBeUndefined();
    expect(data.licence).toEqual({
      id: licence.id,
      licenceCode: licence.licenceCode,
      product: "XER Bridge",
      subscriptionLevel: "Professional",
      status: "ACTIVE",
      features: ["schedule", "health-checks", "costs", "resources"],
      expiresAt: licence.expiresAt.toISOString(),
      devices: [{ id: device.id, machineName: device.machineName, lastSeenAt: device.lastSeenAt.toISOString() }],
    });
  });

  test.each([
    ["EXPIRED", createExpiredLicence],
    ["SUSPENDED", createSuspendedLicence],
    ["REVOKED", createRevokedLicence],
  ])("has the status %s", async (status, create) => {
    const { data } = await app.graphql(byId, { id: (await create(app, user)).id }, token);
    expect(data.licence.status).toBe(status);
  });

  test("expires by the application's clock", async () => {
    const licence = await createLicence(app, user, { expiresAt: addMilliseconds(app.clock.now(), DAY) });
    // Sign in again, because by this clock the old access token has expired too.
    try {
      app.clock.setOffset(2 * DAY);
      const { data } = await app.graphql(byId, { id: licence.id }, await signInAs(app, user));
      expect(data.licence.status).toBe("EXPIRED");
    } finally {
      app.clock.setOffset(0);
    }
  });

  test("is visible to an admin, and NOT_FOUND for other users, unknown and malformed ids", async () => {
    const { id } = await createLicence(app, user);
    const admin = await signInAs(app, await createAdmin(app));
    const stranger = await signInAs(app, await createUser(app));
    expect((await app.graphql(byId, { id }, admin)).data.licence.id).toBe(id);
    const answers = [
      await app.graphql(byId, { id }, stranger),
      await app.graphql(byId, { id: user.id }, stranger),
      await app.graphql(byId, { id: "' or 1=1 --" }, stranger),
    ];
    for (const { data, errors } of answers) {
      expect(data).toBeNull();
      expect(errors?.[0]?.extensions.code).toBe("NOT_FOUND");
      expect(errors?.[0]?.message).toBe(answers[0]?.errors?.[0]?.message);
    }
  });

  test("has no `user` field", async () => {
    const { errors } = await app.graphql(
      "query ($id: ID!) { licence(id: $id) { user { email } } }",
      { id: "x" },
      token,
    );
    expect(errors?.[0]?.extensions.code).toBe("BAD_USER_INPUT");
  });
});

test.each([
  [
    { usageLimit: 20, usageCount: 3 },
    { usageLimit: 20, usageRemaining: 17 },
  ],
  // Usage that is reported late is still recorded, and may exceed the limit.
  [
    { usageLimit: 20, usageCount: 23 },
    { usageLimit: 20, usageRemaining: 0 },
  ],
  [
    { usageLimit: null, usageCount: 3 },
    { usageLimit: null, usageRemaining: null },
  ],
])("shows usage %o as %o", async (usage, expected) => {
  const { id } = await createLicence(app, user, usage);
  const document = "query ($id: ID!) { licence(id: $id) { usageLimit usageRemaining } }";
  expect((await app.graphql(document, { id }, token)).data.licence).toEqual(expected);
});

test("shows the `owner` field only to admins, and returns FORBIDDEN to the owner", async () => {
  const { id } = await createLicence(app, user);
  const document = "query ($id: ID!) { licence(id: $id) { owner { id email } } }";
  const { data } = await app.graphql(document, { id }, await signInAs(app, await createAdmin(app)));
  expect(data.licence.owner).toEqual({ id: user.id, email: user.email });
  expect((await app.graphql(document, { id }, token)).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
});

test("reads the owners of the licences on a page of users without another statement", async () => {
  for (let n = 0; n < 4; n++) await createLicence(app, await createUser(app));
  const admin = await signInAs(app, await createAdmin(app));
  const cost = (owner: string) =>
    recordStatements(async () => {
      const { data } = await app.graphql(`{ users { rows { id licences { id ${owner} } } } }`, {}, admin);
      const licences = data.users.rows.flatMap((row: { licences: object[] }) => row.licences);
      expect(licences.length).toBeGreaterThanOrEqual(4);
    });
  expect(await cost("owner { email }")).toHaveLength((await cost("")).length);
});

test("reads the devices of any number of licences in one statement", async () => {
  const owner = await createUser(app);
  const ownToken = await signInAs(app, owner);
  for (let n = 0; n < 12; n++) {
    const licence = await createLicence(app, owner);
    await createDevice(app, licence);
  }
  const statements = await recordStatements(async () => {
    const { data } = await app.graphql("{ me { licences { licenceCode devices { machineName } } } }", {}, ownToken);
    expect(data.me.licences.map((licence: { devices: unknown[] }) => licence.devices.length)).toEqual(
      Array(12).fill(1),
    );
  });
  // Session, user, licences, devices.
  expect(statements).toHaveLength(4);
  expect(statements.filter((statement) => statement.includes('"devices"'))).toHaveLength(1);
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
