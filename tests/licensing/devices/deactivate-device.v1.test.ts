import { expect, test } from "vitest";
import { Deactivation, Device } from "#api/licensing/devices/device.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const em = () => app.services.orm.em.fork();
const reason = "Device change";

/** Creates a customer with a licence, signs them in, and returns a function that deactivates devices. */
async function createOwner(changes: Parameters<typeof createUser>[1] = {}) {
  const owner = await createUser(app, changes);
  const licence = await createLicence(app, owner, { numberOfMachines: 10 });
  const token = await signInAs(app, owner);
  const deactivate = (tempId: string, body: Record<string, unknown> = { reason }, as = token) =>
    app.rest("PUT", `/v1/licence/machine/${encodeURIComponent(tempId)}/deactivate`, { body, token: as });
  return { owner, licence, token, deactivate };
}

test("returns 1, removes the device from the list, records the reason and emails the owner", async () => {
  const { owner, licence, token, deactivate } = await createOwner();
  const device = await createDevice(app, licence, { machineName: "SITE-PC|domain" });
  expect((await (await createOwner()).deactivate(device.id)).status).toBe(404);
  const ownWords = "Lost <b>it</b>\nin a train";
  const { status, json } = await deactivate(device.id, { machineName: "SITE-PC", reason: ownWords });
  expect([status, json]).toEqual([200, 1]);
  expect((await app.rest("GET", `/v1/licence/machines/${licence.id}`, { token })).json).toEqual([]);
  expect(await em().find(Deactivation, { user: owner.id })).toMatchObject([{ by: "customer", reason: ownWords }]);
  expect(await em().find(LicenceEvent, { deviceId: device.id })).toMatchObject([
    { kind: "portal-deactivate", resultCode: 1, machineName: "SITE-PC|domain" },
  ]);
  const [mail] = await listEmailsTo(app, owner.email);
  for (const part of ["SITE-PC", "You can activate another device"]) expect(mail?.text).toContain(part);
});

test("does not count deactivations by admins against the customer's limit", async () => {
  const { owner, licence, deactivate } = await createOwner({ annualDeactivationLimit: 0 });
  const device = await createDevice(app, licence);
  expect([(await deactivate(device.id)).json, (await deactivate(device.id, { reason }, admin)).json]).toEqual([3, 1]);
  expect(await em().find(Deactivation, { user: owner.id })).toMatchObject([{ by: "admin" }]);
});

test("sends no email to the owner of a closed account", async () => {
  const { owner, licence, deactivate } = await createOwner();
  const device = await createDevice(app, licence);
  await em().nativeUpdate(User, { id: owner.id }, { archivedAt: app.clock.now() });
  expect((await deactivate(device.id, { reason }, admin)).json).toBe(1);
  const emails = await listEmailsTo(app, owner.email);
  expect(emails.filter(({ subject }) => subject.includes("was deactivated"))).toEqual([]);
});

test("finds an active device of the caller by its name or whole machine name if the id is unknown", async () => {
  const { licence, deactivate } = await createOwner();
  const device = await createDevice(app, licence, { machineName: "Site-PC|domain" });
  for (const machineName of ["OTHER", "PC|one", "PC|two"]) await createDevice(app, licence, { machineName });
  await createDevice(app, licence, { machineName: "Site-PC|domain", freedAt: app.clock.now() });
  expect((await deactivate("7", { machineName: "SITE-pc", reason })).json).toBe(1);
  expect((await em().findOneOrFail(Device, device.id)).freedAt).not.toBeNull();
  expect((await deactivate("7", { machineName: "PC|two", reason })).json).toBe(1);
  expect((await deactivate("7", { machineName: "PC|two", reason })).status).toBe(404);
  expect((await (await createOwner()).deactivate("7", { machineName: "OTHER", reason })).status).toBe(404);
});

test("returns 2 and deactivates nothing if several devices have the name", async () => {
  const { owner, licence, deactivate } = await createOwner();
  await createDevice(app, licence, { machineName: "TWIN|one" });
  await createDevice(app, await createLicence(app, owner), { machineName: "TWIN|two" });
  expect((await deactivate("7", { machineName: "twin", reason })).json).toBe(2);
  expect(await em().count(Deactivation, { user: owner.id })).toBe(0);
});
