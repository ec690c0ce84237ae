import { describe, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { callAddin, callAddinFrom, buildMachine } from "#tests/factories/addin.ts";
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

  test("returns 'not activated' without counting when repeated after a lost answer", async () => {
    const licence = await createLicence(app, await createUser(app));
    const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
    await callAddinFrom(app, first, "deactivate", licence, { reason });
    expect((await callAddinFrom(app, first, "deactivate", licence, { reason })).json.data.resultCode).toBe(21);
    const { json } = await callAddinFrom(app, second, "deactivate", licence, { reason });
    expect(json.data.deactivationsRemaining).toBe(1);
  });

  test("returns 3 beyond the owner's limit; a limit of 0 allows no deactivations", async () => {
    const licence = await createLicence(app, await createUser(app, { annualDeactivationLimit: 1 }));
    const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
    await callAddinFrom(app, first, "deactivate", licence, { reason });
    const { json } = await callAddinFrom(app, second, "deactivate", licence, { reason });
    expect(json.data).toMatchObject({
      valid: false,
      resultCode: 3,
      code: "DEACTIVATION_LIMIT_EXCEEDED",
      deactivationsRemaining: 0,
    });
    expect((await callAddinFrom(app, second, "validate", licence)).json.data.valid).toBe(true);
    const none = await createLicence(app, await createUser(app, { annualDeactivationLimit: 0 }));
    const device = await createDevice(app, none);
    expect((await callAddinFrom(app, device, "deactivate", none, { reason })).json.data.resultCode).toBe(3);
  });

  test("works on an expired licence", async () => {
    const licence = await createExpiredLicence(app, await createUser(app));
    const device = await createDevice(app, licence);
    expect((await callAddinFrom(app, device, "deactivate", licence, { reason })).json.data.resultCode).toBe(1);
  });

  test("returns 25 while the device has a licence file", async () => {
    const licence = await createLicence(app, await createUser(app));
    const device = await createDevice(app, licence, { offlineUntil: addMilliseconds(app.clock.now(), DAY) });
    expect((await callAddinFrom(app, device, "deactivate", licence, { reason })).json.data.resultCode).toBe(25);
    const past = await createDevice(app, licence, { offlineUntil: addMilliseconds(app.clock.now(), -DAY) });
    expect((await callAddinFrom(app, past, "deactivate", licence, { reason })).json.data.resultCode).toBe(1);
  });

  test("is refused for another machine, an archived account, another licence, and an unknown code or token", async () => {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const device = await createDevice(app, licence);
    const from = (changes: Record<string, unknown>) =>
      callAddinFrom(app, device, "deactivate", licence, { reason, ...changes });
    expect((await from({ machine: buildMachine() })).json.data.resultCode).toBe(23);
    expect((await from({ licenceCode: generateLicenceCode() })).json.data.resultCode).toBe(10);
    expect((await from({ licenceCode: (await createLicence(app, owner)).licenceCode })).json.data.resultCode).toBe(21);
    expect((await from({ machineToken: "never given" })).status).toBe(401);
    await app.services.pool.query("update users set archived_at = $1 where id = $2", [app.clock.now(), owner.id]);
    expect((await from({})).json.data.resultCode).toBe(11);
    expect((await em().findOneOrFail(Device, device.id)).freedAt).toBeNull();
  });

  test("requires a reason", async () => {
    const licence = await createLicence(app, await createUser(app));
    const { status, json } = await callAddin(app, "deactivate", licence, { machineToken: "x", reason: " " });
    expect(status).toBe(400);
    expect(json).toEqual({ reason: ["Please state your reason for deactivation."] });
  });
});
