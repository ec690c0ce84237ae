import { describe, expect, test } from "vitest";
import type { User } from "#api/people/users/user.entity.ts";
import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { after, DAY } from "#api/platform/clock.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const em = () => app.services.orm.em.fork();
const reason = "Device change";

/** An owner with a licence, their token, and a way to free devices with it. */
async function ownerWith(changes: Parameters<typeof createUser>[1] = {}) {
  const owner = await createUser(app, changes);
  const licence = await createLicence(app, owner, { numberOfMachines: 10 });
  const token = await signInAs(app, owner);
  const free = (tempId: string, body: Record<string, unknown> = { reason }, as = token) =>
    app.rest("PUT", `/v1/licence/machine/${encodeURIComponent(tempId)}/deactivate`, { body, token: as });
  return { owner, licence, token, free };
}

const isFree = async (device: Device) => (await em().findOneOrFail(Device, device.id)).freedAt !== null;

describe("freeing a device in the portal over REST", () => {
  test("answers 1, takes it off the list, remembers why, and tells the owner", async () => {
    const { owner, licence, token, free } = await ownerWith();
    const device = await createDevice(app, licence, { machineName: "SITE-PC|domain" });
    const { status, json } = await free(device.id, { machineName: "SITE-PC", reason: "Lost <b>it</b>" });
    expect([status, json]).toEqual([200, 1]);
    expect((await app.rest("GET", `/v1/licence/machines/${licence.id}`, { token })).json).toEqual([]);
    expect(await em().find(Deactivation, { user: owner.id })).toMatchObject([
      { by: "customer", reason: "Lost <b>it</b>" },
    ]);
    expect(await em().find(LicenceEvent, { deviceId: device.id })).toMatchObject([
      { kind: "portal-deactivate", resultCode: 1, machineName: "SITE-PC|domain" },
    ]);
    const [mail] = await mailsTo(app, owner.email);
    expect(mail?.text).toContain("SITE-PC");
  });

  test("a second time answers 2 and counts nothing", async () => {
    const { owner, licence, free } = await ownerWith();
    const device = await createDevice(app, licence);
    expect((await free(device.id)).json).toBe(1);
    expect((await free(device.id)).json).toBe(2);
    expect(await em().count(Deactivation, { user: owner.id })).toBe(1);
  });

  test("beyond the limit answers 3 and leaves the device as it was", async () => {
    const { licence, free } = await ownerWith({ annualDeactivationLimit: 2 });
    const devices = [
      await createDevice(app, licence),
      await createDevice(app, licence),
      await createDevice(app, licence),
    ];
    const answers = [];
    for (const device of devices) answers.push((await free(device.id)).json);
    expect(answers).toEqual([1, 1, 3]);
    expect(await isFree(devices[2] as Device)).toBe(false);
  });

  test("answers 25 while the device holds a licence file; an admin frees it all the same", async () => {
    const { licence, free } = await ownerWith();
    const device = await createDevice(app, licence, { offlineUntil: after(app.clock.now(), DAY) });
    expect((await free(device.id)).json).toBe(25);
    expect((await free(device.id, { reason }, admin)).json).toBe(1);
  });

  test("by an admin is not counted, whatever the customer's limit", async () => {
    const { owner, licence, free } = await ownerWith({ annualDeactivationLimit: 0 });
    const device = await createDevice(app, licence);
    expect((await free(device.id)).json).toBe(3);
    expect((await free(device.id, { reason }, admin)).json).toBe(1);
    expect(await em().find(Deactivation, { user: owner.id })).toMatchObject([{ by: "admin" }]);
  });

  test("needs a reason", async () => {
    const { licence, free } = await ownerWith();
    const device = await createDevice(app, licence);
    const { status, json } = await free(device.id, { machineName: device.machineName });
    expect(status).toBe(400);
    expect(json).toEqual({ reason: ["Please state your reason for deactivation."] });
  });

  test("of somebody else is missing like one that does not exist, and stays", async () => {
    const { licence } = await ownerWith();
    const device = await createDevice(app, licence, { machineName: "THEIRS" });
    const { free } = await ownerWith();
    const answers = [
      await free(device.id, { machineName: "THEIRS", reason }),
      await free(licence.id),
      await free("42"),
      await free("x' or 'x'='x"),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(answers[0]?.text);
    }
    expect(await isFree(device)).toBe(false);
  });
});

describe("an id that the client made up", () => {
  test("falls back to the machine's name among the caller's own active devices", async () => {
    const { licence, free } = await ownerWith();
    const device = await createDevice(app, licence, { machineName: "Site-PC|domain" });
    await createDevice(app, licence, { machineName: "OTHER" });
    await createDevice(app, licence, { machineName: "Site-PC|domain", freedAt: app.clock.now() });
    expect((await free("7", { machineName: "SITE-pc", reason })).json).toBe(1);
    expect(await isFree(device)).toBe(true);
  });

  test("takes the whole name too", async () => {
    const { licence, free } = await ownerWith();
    await createDevice(app, licence, { machineName: "PC|one" });
    await createDevice(app, licence, { machineName: "PC|two" });
    expect((await free("7", { machineName: "PC|two", reason })).json).toBe(1);
    expect((await free("7", { machineName: "PC|two", reason })).status).toBe(404);
  });

  test("answers 2 when several devices have the name, and frees none", async () => {
    const { owner, licence, free } = await ownerWith();
    await createDevice(app, licence, { machineName: "TWIN|one" });
    await createDevice(app, await createLicence(app, owner), { machineName: "TWIN|two" });
    expect((await free("7", { machineName: "twin", reason })).json).toBe(2);
    expect(await em().count(Deactivation, { user: owner.id })).toBe(0);
  });
});

describe("the window in which deactivations count", () => {
  // Access tokens follow the clock too, so each time the owner signs in anew.
  const free = async (owner: User, licence: Licence) => {
    const device = await createDevice(app, licence);
    const { json } = await app.rest("PUT", `/v1/licence/machine/${device.id}/deactivate`, {
      body: { reason },
      token: await signInAs(app, owner),
    });
    return json;
  };

  test("ends a year after each of them", async () => {
    const { owner, licence } = await ownerWith({ annualDeactivationLimit: 1 });
    try {
      expect(await free(owner, licence)).toBe(1);
      app.clock.setOffset(364 * DAY);
      expect(await free(owner, licence)).toBe(3);
      app.clock.setOffset(366 * DAY);
      expect(await free(owner, licence)).toBe(1);
      expect(await free(owner, licence)).toBe(3);
    } finally {
      app.clock.setOffset(0);
    }
  });

  test("begins anew when the counter is reset", async () => {
    const { owner, licence } = await ownerWith({ annualDeactivationLimit: 1 });
    expect(await free(owner, licence)).toBe(1);
    expect(await free(owner, licence)).toBe(3);
    await app.services.pool.query("update users set deactivations_reset_at = $1 where id = $2", [
      app.clock.now(),
      owner.id,
    ]);
    expect(await free(owner, licence)).toBe(1);
    expect(await free(owner, licence)).toBe(3);
  });
});
