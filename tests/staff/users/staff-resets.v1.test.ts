import { beforeAll, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import { TrialClaim } from "#api/licensing/trials/trial-claim.entity.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
let token: string;

beforeAll(async () => {
  token = await signInAs(app, await createAdmin(app));
});

const find = (id: string) => em().findOneOrFail(User, id);
const listAuditEntries = (id: string) => em().find(AuditEntry, { userId: id }, { orderBy: { at: "asc", id: "asc" } });
const details = async (id: string) => (await app.rest("GET", `/v1/users/${id}`, { token })).json;

/** Creates a user, and an update body that changes nothing. */
async function createKnownUser(changes: Partial<User> = {}) {
  const user = await createUser(app, changes);
  return { user, body: (await details(user.id)) as Record<string, unknown> };
}

test("allows another trial for the normalised email after hasCompletedTrial is cleared", async () => {
  const name = `trialist${Math.trunc(performance.now() * 1000)}`;
  const { user, body } = await createKnownUser({ email: `${name}+work@gmail.com` });
  const theirs = await signInAs(app, user);
  const start = () => app.rest("POST", "/v1/subscriptions/create-trial", { token: theirs });
  const claims = async () => {
    const { rows } = await app.services.pool.query<{ value: string }>("select hash_of_email($1) as value", [
      `${name}@gmail.com`,
    ]);
    return em().count(TrialClaim, { value: rows[0]?.value ?? "" });
  };
  expect((await start()).status).toBe(200);
  expect((await start()).status).toBe(409);
  expect(await claims()).toBe(1);
  const cleared = { ...body, hasCompletedTrial: false };
  expect((await app.rest("PUT", "/v1/users/admin/update-user", { token, body: cleared })).status).toBe(200);
  expect([await claims(), (await find(user.id)).hasCompletedTrial]).toEqual([0, false]);
  expect((await start()).status).toBe(200);
});

test("restores the full deactivation limit and records an audit entry after a reset", async () => {
  const { user } = await createKnownUser();
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
  const [entry] = await listAuditEntries(user.id);
  expect(entry).toMatchObject({
    action: "reset-deactivations",
    before: { deactivationsUsed: 2, deactivationsResetAt: null },
    after: { deactivationsUsed: 0 },
  });
  const again = await app.graphql(
    "mutation ($id: ID!) { resetDeactivationCounter(userId: $id) { limit used remaining nextFreeAt } }",
    { id: user.id },
    token,
  );
  expect(again.data.resetDeactivationCounter).toEqual({ limit: 3, used: 0, remaining: 3, nextFreeAt: null });
  expect((await listAuditEntries(user.id)).at(-1)?.before).not.toHaveProperty("deactivationsUsed");
});
