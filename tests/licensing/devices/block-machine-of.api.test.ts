import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { BlockedMachine } from "#api/licensing/devices/blocked-machine.entity.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
let token: string;

beforeAll(async () => {
  token = await signInAs(app, await createAdmin(app));
});

const block = (userId: string, deviceId: string, as = token) =>
  app.graphql(
    `mutation ($userId: ID!, $deviceId: ID!) {
       blockMachineOf(userId: $userId, deviceId: $deviceId) { revision blockedMachines { machineName } } }`,
    { userId, deviceId },
    as,
  );

test("blocks a machine once under its displayed name, records the change and increments the user's revision", async () => {
  const user = await createUser(app);
  const device = await createDevice(app, await createLicence(app, user), { machineName: "BNE-PLAN-9|4c4c" });
  const done = { revision: 2, blockedMachines: [{ machineName: "BNE-PLAN-9" }] };
  expect((await block(user.id, device.id)).data.blockMachineOf).toEqual(done);
  expect((await block(user.id, device.id)).data.blockMachineOf).toEqual(done);
  const [entry, ...others] = await em().find(AuditEntry, { userId: user.id });
  expect(entry).toMatchObject({ action: "update-user", after: { blockedMachines: ["BNE-PLAN-9"], revision: 2 } });
  expect(others).toEqual([]);
});

test("returns not found for other users' devices, and refuses everyone except admins", async () => {
  const [user, other] = [await createUser(app), await createUser(app)];
  const device = await createDevice(app, await createLicence(app, other), { machineName: "FOREIGN" });
  const getErrorCode = async (response: ReturnType<typeof block>) => (await response).errors?.[0]?.extensions?.code;
  expect(await getErrorCode(block(user.id, device.id))).toBe("NOT_FOUND");
  expect(await getErrorCode(block(user.id, randomUUID()))).toBe("NOT_FOUND");
  expect(await getErrorCode(block("no-id", "none"))).toBe("NOT_FOUND");
  expect(await getErrorCode(block(other.id, device.id, await signInAs(app, other)))).toBe("FORBIDDEN");
  expect(await em().count(BlockedMachine, { user: [user.id, other.id] })).toBe(0);
});
