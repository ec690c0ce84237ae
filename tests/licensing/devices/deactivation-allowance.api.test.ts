import { describe, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { Deactivation, type DeactivationActor } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { recordStatements } from "#tests/support/record-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const allowances = `query ($id: ID!) {
  licence(id: $id) { deactivationAllowance { limit used remaining nextFreeAt resetAt } }
}`;
const read = async (licence: Licence, token: string) =>
  (await app.graphql(allowances, { id: licence.id }, token)).data.licence.deactivationAllowance;

/** Creates a device that was deactivated the given number of days ago. Returns the time of the deactivation. */
async function createDeactivated(
  user: User,
  licence: Licence,
  daysAgo: number,
  by: DeactivationActor = "customer",
  reason = "Old",
) {
  const at = addMilliseconds(app.clock.now(), -daysAgo * DAY);
  const device = await createDevice(app, licence, { freedAt: at, machineName: `${by}-${daysAgo}` });
  const em = app.services.orm.em.fork();
  em.create(Deactivation, { user: user.id, device: em.getReference(Device, device.id), at, by, reason } as never);
  await em.flush();
  return at;
}

const addYear = (date: Date) => addMilliseconds(date, 365 * DAY).toISOString();

async function createCustomer(changes: Partial<User> = {}) {
  const user = await createUser(app, changes);
  return { user, licence: await createLicence(app, user, { numberOfMachines: 5 }), token: await signInAs(app, user) };
}

describe("Licence.deactivationAllowance", () => {
  test("starts with no deactivations counted", async () => {
    const { licence, token } = await createCustomer();
    expect(await read(licence, token)).toEqual({ limit: 3, used: 0, remaining: 3, nextFreeAt: null, resetAt: null });
  });

  test("counts the customer's own deactivations in the last year across all licences", async () => {
    const { user, licence, token } = await createCustomer();
    const other = await createLicence(app, user);
    const oldest = await createDeactivated(user, other, 200);
    await createDeactivated(user, licence, 10);
    await createDeactivated(user, licence, 366);
    await createDeactivated(user, licence, 5, "admin");
    await createDeactivated(user, licence, 5, "system");
    expect(await read(licence, token)).toMatchObject({ used: 2, remaining: 1, nextFreeAt: addYear(oldest) });
  });

  test("ignores deactivations before a reset", async () => {
    const deactivationsResetAt = addMilliseconds(app.clock.now(), -30 * DAY);
    const { user, licence, token } = await createCustomer({ deactivationsResetAt });
    await createDeactivated(user, licence, 40);
    const counted = await createDeactivated(user, licence, 20);
    expect(await read(licence, token)).toEqual({
      limit: 3,
      used: 1,
      remaining: 2,
      nextFreeAt: addYear(counted),
      resetAt: deactivationsResetAt.toISOString(),
    });
  });

  test("returns the date when enough deactivations will have expired, if the limit was lowered", async () => {
    const { user, licence, token } = await createCustomer({ annualDeactivationLimit: 1 });
    await createDeactivated(user, licence, 300);
    await createDeactivated(user, licence, 200);
    const third = await createDeactivated(user, licence, 100);
    expect(await read(licence, token)).toMatchObject({ used: 3, remaining: 0, nextFreeAt: addYear(third) });
  });

  test("returns no next date for a limit of 0", async () => {
    const { user, licence, token } = await createCustomer({ annualDeactivationLimit: 0 });
    await createDeactivated(user, licence, 100);
    expect(await read(licence, token)).toMatchObject({ limit: 0, used: 1, remaining: 0, nextFreeAt: null });
  });

  test("allows the next deactivation at the returned date, but not a minute earlier", async () => {
    const { user, licence, token } = await createCustomer({ annualDeactivationLimit: 1 });
    await createDeactivated(user, licence, 364);
    const device = await createDevice(app, licence);
    const { nextFreeAt } = await read(licence, token);
    const deactivate = async () =>
      app.rest("PUT", `/v1/licence/machine/${device.id}/deactivate`, {
        body: { reason: "Device change" },
        token: await signInAs(app, user),
      });
    const before = app.clock.offsetMs;
    try {
      const wait = Date.parse(nextFreeAt) - app.clock.now().getTime();
      app.clock.setOffset(before + wait - 60_000);
      expect((await deactivate()).json).toBe(3);
      app.clock.setOffset(before + wait);
      expect((await deactivate()).json).toBe(1);
    } finally {
      app.clock.setOffset(before);
    }
  });

  test("loads allowances and deactivated devices of a list of licences with one statement each", async () => {
    const { user, token } = await createCustomer();
    for (let index = 0; index < 5; index++) await createLicence(app, user);
    const one = `{ me { licences { id } } }`;
    const all = `{ me { licences { id deactivationAllowance { remaining } recentlyFreed { id } } } }`;
    const base = await recordStatements(() => app.graphql(one, {}, token));
    const counted = await recordStatements(() => app.graphql(all, {}, token));
    expect(counted.length - base.length).toBe(2);
  });
});

describe("Licence.recentlyFreed", () => {
  const query = `query ($id: ID!) { licence(id: $id) { recentlyFreed { machineName freedAt by reason } } }`;

  test("lists the latest five devices, newest first, with only the customers' own reasons", async () => {
    const { user, licence, token } = await createCustomer();
    for (const daysAgo of [500, 5, 4, 3, 2]) await createDeactivated(user, licence, daysAgo);
    const latest = await createDeactivated(user, licence, 1, "admin", "Support ticket of a colleague");
    const list = async (as: string) => (await app.graphql(query, { id: licence.id }, as)).data.licence.recentlyFreed;
    const own = await list(token);
    expect(own.map((device: { machineName: string }) => device.machineName)).toEqual([
      "admin-1",
      "customer-2",
      "customer-3",
      "customer-4",
      "customer-5",
    ]);
    expect(own[0]).toEqual({ machineName: "admin-1", freedAt: latest.toISOString(), by: "admin", reason: null });
    expect(own[1].reason).toBe("Old");
    const [seenByStaff] = await list(await signInAs(app, await createAdmin(app)));
    expect(seenByStaff.reason).toBe("Support ticket of a colleague");
  });

  test("returns not found for another account's licence", async () => {
    const { licence } = await createCustomer();
    const { errors } = await app.graphql(query, { id: licence.id }, await signInAs(app, await createUser(app)));
    expect(errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});
