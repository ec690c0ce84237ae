import { describe, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { callAddinFrom, buildMachine } from "#tests/factories/addin.ts";
import { createDevice, createExpiredLicence, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const reason = "Device change";

describe("deactivate in the add-in", () => {
  test("deactivates the device, counts and records the deactivation, and notifies the owner", async () => {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const device = await createDevice(app, licence, { machineName: "SITE-PC|domain" });
    const { status, json } = await callAddinFrom(app, device, "deactivate", licence, { reason });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      valid: true,
      resultCode: 1,
      message: "The device was deactivated.",
      machine: { id: device.id },
      deactivationsRemaining: 2,
    });
    // The answer contains nothing that would let an add-in keep running.
    expect(json.data).not.toHaveProperty("licence");
    expect(json.data).not.toHaveProperty("graceUntilUtc");
    expect((await em().findOneOrFail(Device, device.id)).freedAt).not.toBeNull();
    expect(await em().findOne(LicenceEvent, { deviceId: device.id })).toMatchObject({
      kind: "deactivate",
      resultCode: 1,
    });
    const [mail] = await listEmailsTo(app, owner.email);
    expect(mail?.text).toContain("SITE-PC");
    expect(mail?.text).not.toContain("domain");
  });

  test("counts once when repeated after a lost answer, and returns 3 beyond the owner's limit", async () => {
    const licence = await createLicence(app, await createUser(app, { annualDeactivationLimit: 1 }));
    const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
    const deactivated = async (device: Device) =>
      (await callAddinFrom(app, device, "deactivate", licence, { reason })).json.data;
    expect(await deactivated(first)).toMatchObject({ resultCode: 1, deactivationsRemaining: 0 });
    expect((await deactivated(first)).resultCode).toBe(21);
    expect(await deactivated(second)).toMatchObject({ valid: false, resultCode: 3, deactivationsRemaining: 0 });
    expect((await callAddinFrom(app, second, "validate", licence)).json.data.valid).toBe(true);
  });

  test("works on an expired licence, but not while the device has a licence file", async () => {
    const licence = await createExpiredLicence(app, await createUser(app));
    for (const [days, resultCode] of [
      [1, 25],
      [-1, 1],
    ] as const) {
      const offlineUntil = addMilliseconds(app.clock.now(), days * DAY);
      const device = await createDevice(app, licence, { offlineUntil });
      const { json } = await callAddinFrom(app, device, "deactivate", licence, { reason });
      expect(json.data.resultCode).toBe(resultCode);
    }
  });

  test("is refused for another machine, an archived account and an unknown code, and requires a reason", async () => {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const device = await createDevice(app, licence);
    const from = (changes: Record<string, unknown>) =>
      callAddinFrom(app, device, "deactivate", licence, { reason, ...changes });
    expect((await from({ machine: buildMachine() })).json.data.resultCode).toBe(23);
    expect((await from({ licenceCode: generateLicenceCode() })).json.data.resultCode).toBe(10);
    expect((await from({ reason: " " })).json).toEqual({ reason: ["Please state your reason for deactivation."] });
    await app.services.pool.query("update users set archived_at = $1 where id = $2", [app.clock.now(), owner.id]);
    expect((await from({})).json.data.resultCode).toBe(11);
    expect((await em().findOneOrFail(Device, device.id)).freedAt).toBeNull();
  });
});
