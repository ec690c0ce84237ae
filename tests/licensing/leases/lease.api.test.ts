import { expect, test } from "vitest";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import { createLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const seats = "leases { id osUser startedAt lastHeartbeatAt expiresAt borrowedUntil device { id machineName } }";

test("shows a customer the running leases of their licence, oldest first", async () => {
  const owner = await createCorporateUser(app);
  const licence = await createConcurrentLicence(app, owner);
  const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
  const now = app.clock.now();
  const later = await createLease(app, bob, { borrowedUntil: addMilliseconds(now, MINUTE), osUser: "SITE\\bob" });
  const first = await createLease(app, ada, { startedAt: addMilliseconds(now, -MINUTE) });
  await createLease(app, ada, { expiresAt: addMilliseconds(now, -MINUTE) });
  await createLease(app, ada, { endedAt: now, endedBy: "release" });
  const { data } = await app.graphql(
    `query ($id: ID!) { licence(id: $id) { ${seats} } }`,
    { id: licence.id },
    await signInAs(app, owner),
  );
  expect(data.licence.leases).toMatchObject([
    { id: first.id, osUser: null, borrowedUntil: null, device: { id: ada.id, machineName: ada.machineName } },
    {
      id: later.id,
      osUser: "SITE\\bob",
      borrowedUntil: addMilliseconds(now, MINUTE).toISOString(),
      device: { id: bob.id },
    },
  ]);
});

test("returns NOT_FOUND for the seats of another user's licence; admins see them", async () => {
  const licence = await createConcurrentLicence(app, await createCorporateUser(app));
  await createLease(app, await createDevice(app, licence));
  const querySeats = async (token: string) =>
    app.graphql(`query ($id: ID!) { licence(id: $id) { ${seats} } }`, { id: licence.id }, token);
  const stranger = await querySeats(await signInAs(app, await createUser(app)));
  expect(stranger.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  expect((await querySeats(await signInAs(app, await createAdmin(app)))).data.licence.leases).toHaveLength(1);
});

test("reads the seats and devices of any number of licences with one statement", async () => {
  const owner = await createCorporateUser(app);
  for (let n = 0; n < 5; n++) {
    const licence = await createConcurrentLicence(app, owner);
    await createLease(app, await createDevice(app, licence));
  }
  const token = await signInAs(app, owner);
  const statements = await recordStatements(async () => {
    const { data } = await app.graphql(`{ me { licences { ${seats} } } }`, {}, token);
    expect(data.me.licences.flatMap((licence: { leases: unknown[] }) => licence.leases)).toHaveLength(5);
  });
  expect(statements.filter((text) => /"leases"|"devices"/.test(text))).toHaveLength(1);
});
