import { describe, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { Deactivation, type DeactivationActor } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { after, DAY } from "#api/platform/clock.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { statementsOf } from "#tests/support/count-statements.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const allowances = `query ($id: ID!) {
  licence(id: $id) { deactivationAllowance { limit used remaining nextFreeAt resetAt } }
}`;
const read = async (licence: Licence, token: string) =>
  (await app.graphql(allowances, { id: licence.id }, token)).data.licence.deactivationAllowance;

/** A device of the licence that was freed so many days ago. */
async function freed(
  user: User,
  licence: Licence,
  daysAgo: number,
  by: DeactivationActor = "customer",
  reason = "Old",
) {
  const at = after(app.clock.now(), -daysAgo * DAY);
  const device = await createDevice(app, licence, { freedAt: at, machineName: `${by}-${daysAgo}` });
  const em = app.services.orm.em.fork();
  em.create(Deactivation, { user: user.id, device: em.getReference(Device, device.id), at, by, reason } as never);
  await em.flush();
  return at;
}

const yearAfter = (moment: Date) => after(moment, 365 * DAY).toISOString();

async function customer(changes: Partial<User> = {}) {
  const user = await createUser(app, changes);
  return { user, licence: await createLicence(app, user, { numberOfMachines: 5 }), token: await signInAs(app, user) };
}

describe("the year's deactivations", () => {
  test("are none at first", async () => {
    const { licence, token } = await customer();
    expect(await read(licence, token)).toEqual({ limit: 3, used: 0, remaining: 3, nextFreeAt: null, resetAt: null });
  });

  test("count the customer's own of a year, over all their licences; the oldest comes free first", async () => {
    const { user, licence, token } = await customer();
    const other = await createLicence(app, user);
    const oldest = await freed(user, other, 200);
    await freed(user, licence, 10);
    await freed(user, licence, 366);
    await freed(user, licence, 5, "admin");
    await freed(user, licence, 5, "system");
    expect(await read(licence, token)).toMatchObject({ used: 2, remaining: 1, nextFreeAt: yearAfter(oldest) });
  });

  test("begin anew with a reset", async () => {
    const deactivationsResetAt = after(app.clock.now(), -30 * DAY);
    const { user, licence, token } = await customer({ deactivationsResetAt });
    await freed(user, licence, 40);
    const counted = await freed(user, licence, 20);
    expect(await read(licence, token)).toEqual({
      limit: 3,
      used: 1,
      remaining: 2,
      nextFreeAt: yearAfter(counted),
      resetAt: deactivationsResetAt.toISOString(),
    });
  });

  test("beyond a limit that was lowered, the next one comes free when enough have lapsed", async () => {
    const { user, licence, token } = await customer({ annualDeactivationLimit: 1 });
    await freed(user, licence, 300);
    await freed(user, licence, 200);
    const third = await freed(user, licence, 100);
    expect(await read(licence, token)).toMatchObject({ used: 3, remaining: 0, nextFreeAt: yearAfter(third) });
  });

  test("never come free with a limit of none", async () => {
    const { user, licence, token } = await customer({ annualDeactivationLimit: 0 });
    await freed(user, licence, 100);
    expect(await read(licence, token)).toMatchObject({ limit: 0, used: 1, remaining: 0, nextFreeAt: null });
  });

  test("the next one really comes free at that moment, and not a minute earlier", async () => {
    const { user, licence, token } = await customer({ annualDeactivationLimit: 1 });
    await freed(user, licence, 364);
    const device = await createDevice(app, licence);
    const { nextFreeAt } = await read(licence, token);
    const free = async () =>
      app.rest("PUT", `/v1/licence/machine/${device.id}/deactivate`, {
        body: { reason: "Device change" },
        token: await signInAs(app, user),
      });
    const before = app.clock.offsetMs;
    try {
      const wait = Date.parse(nextFreeAt) - app.clock.now().getTime();
      app.clock.setOffset(before + wait - 60_000);
      expect((await free()).json).toBe(3);
      app.clock.setOffset(before + wait);
      expect((await free()).json).toBe(1);
    } finally {
      app.clock.setOffset(before);
    }
  });

  test("and freed devices cost a list of licences one statement each", async () => {
    const { user, token } = await customer();
    for (let index = 0; index < 5; index++) await createLicence(app, user);
    const one = `{ me { licences { id } } }`;
    const all = `{ me { licences { id deactivationAllowance { remaining } recentlyFreed { id } } } }`;
    const base = await statementsOf(() => app.graphql(one, {}, token));
    const counted = await statementsOf(() => app.graphql(all, {}, token));
    expect(counted.length - base.length).toBe(2);
  });
});

describe("the devices that were freed lately", () => {
  const query = `query ($id: ID!) { licence(id: $id) { recentlyFreed { machineName freedAt by reason } } }`;

  test("are listed, newest first, five of them, with the customer's own reasons", async () => {
    const { user, licence, token } = await customer();
    for (const daysAgo of [500, 5, 4, 3, 2]) await freed(user, licence, daysAgo);
    const latest = await freed(user, licence, 1, "admin", "Support ticket of a colleague");
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

  test("of a foreign licence are as missing as the licence", async () => {
    const { licence } = await customer();
    const { errors } = await app.graphql(query, { id: licence.id }, await signInAs(app, await createUser(app)));
    expect(errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});
