import { describe, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { newLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { after, DAY } from "#api/platform/clock.ts";
import { ask, askFrom, machine } from "#tests/factories/addin.ts";
import { createDevice, createExpiredLicence, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const reason = "Device change";

describe("deactivating in the add-in", () => {
  test("frees the place, is counted, remembered and told to the owner", async () => {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const device = await createDevice(app, licence, { machineName: "SITE-PC|domain" });
    const { status, json } = await askFrom(app, device, "deactivate", licence, { reason });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      valid: true,
      resultCode: 1,
      message: "The device was deactivated.",
      machine: { id: device.id },
      deactivationsRemaining: 2,
    });
    // Nothing in it would let an add-in run on.
    expect(json.data).not.toHaveProperty("licence");
    expect(json.data).not.toHaveProperty("graceUntilUtc");
    expect((await em().findOneOrFail(Device, device.id)).freedAt).not.toBeNull();
    expect(await em().findOne(LicenceEvent, { deviceId: device.id })).toMatchObject({
      kind: "deactivate",
      resultCode: 1,
    });
    const [mail] = await mailsTo(app, owner.email);
    expect(mail?.text).toContain("SITE-PC");
    expect(mail?.text).not.toContain("domain");
  });

  test("again, after a lost answer, says that the device is not activated, and counts nothing", async () => {
    const licence = await createLicence(app, await createUser(app));
    const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
    await askFrom(app, first, "deactivate", licence, { reason });
    expect((await askFrom(app, first, "deactivate", licence, { reason })).json.data.resultCode).toBe(21);
    const { json } = await askFrom(app, second, "deactivate", licence, { reason });
    expect(json.data.deactivationsRemaining).toBe(1);
  });

  test("beyond the owner's limit is refused with 3; 0 means none", async () => {
    const licence = await createLicence(app, await createUser(app, { annualDeactivationLimit: 1 }));
    const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
    await askFrom(app, first, "deactivate", licence, { reason });
    const { json } = await askFrom(app, second, "deactivate", licence, { reason });
    expect(json.data).toMatchObject({
      valid: false,
      resultCode: 3,
      code: "DEACTIVATION_LIMIT_EXCEEDED",
      deactivationsRemaining: 0,
    });
    expect((await askFrom(app, second, "validate", licence)).json.data.valid).toBe(true);
    const none = await createLicence(app, await createUser(app, { annualDeactivationLimit: 0 }));
    const device = await createDevice(app, none);
    expect((await askFrom(app, device, "deactivate", none, { reason })).json.data.resultCode).toBe(3);
  });

  test("works on a licence that has expired", async () => {
    const licence = await createExpiredLicence(app, await createUser(app));
    const device = await createDevice(app, licence);
    expect((await askFrom(app, device, "deactivate", licence, { reason })).json.data.resultCode).toBe(1);
  });

  test("is refused with 25 while the device holds a licence file", async () => {
    const licence = await createLicence(app, await createUser(app));
    const device = await createDevice(app, licence, { offlineUntil: after(app.clock.now(), DAY) });
    expect((await askFrom(app, device, "deactivate", licence, { reason })).json.data.resultCode).toBe(25);
    const past = await createDevice(app, licence, { offlineUntil: after(app.clock.now(), -DAY) });
    expect((await askFrom(app, past, "deactivate", licence, { reason })).json.data.resultCode).toBe(1);
  });

  test("is refused for another machine, an archived account, another licence, an unknown code and token", async () => {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const device = await createDevice(app, licence);
    const from = (changes: Record<string, unknown>) =>
      askFrom(app, device, "deactivate", licence, { reason, ...changes });
    expect((await from({ machine: machine() })).json.data.resultCode).toBe(23);
    expect((await from({ licenceCode: newLicenceCode() })).json.data.resultCode).toBe(10);
    expect((await from({ licenceCode: (await createLicence(app, owner)).licenceCode })).json.data.resultCode).toBe(21);
    expect((await from({ machineToken: "never given" })).status).toBe(401);
    await app.services.pool.query("update users set archived_at = $1 where id = $2", [app.clock.now(), owner.id]);
    expect((await from({})).json.data.resultCode).toBe(11);
    expect((await em().findOneOrFail(Device, device.id)).freedAt).toBeNull();
  });

  test("needs a reason", async () => {
    const licence = await createLicence(app, await createUser(app));
    const { status, json } = await ask(app, "deactivate", licence, { machineToken: "x", reason: " " });
    expect(status).toBe(400);
    expect(json).toEqual({ reason: ["Please state your reason for deactivation."] });
  });
});
