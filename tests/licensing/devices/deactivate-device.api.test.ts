import { describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const mutation = `mutation ($input: DeactivateDeviceInput!) {
  deactivateDevice(input: $input) { resultCode code message deactivationsRemaining }
}`;

const owner = await createUser(app, { annualDeactivationLimit: 1 });
const licence = await createLicence(app, owner, { numberOfMachines: 10 });
const token = await signInAs(app, owner);
const deactivate = async (deviceId: string, as = token, reason = "Device change") =>
  app.graphql(mutation, { input: { deviceId, reason } }, as);

describe("Mutation.deactivateDevice", () => {
  test("returns the portal's messages and the number of deactivations left", async () => {
    const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
    expect((await deactivate(first.id)).data.deactivateDevice).toEqual({
      resultCode: 1,
      code: "VALID",
      message: "You have successfully deactivated the device.",
      deactivationsRemaining: 0,
    });
    expect((await deactivate(first.id)).data.deactivateDevice).toEqual({
      resultCode: 2,
      code: "FAILED",
      message: "Unable to deactivate the device.",
      deactivationsRemaining: 0,
    });
    expect((await deactivate(second.id)).data.deactivateDevice).toEqual({
      resultCode: 3,
      code: "DEACTIVATION_LIMIT_EXCEEDED",
      message:
        "Sorry, you have reached your deactivation limit and therefore cannot deactivate this device. Please contact support.",
      deactivationsRemaining: 0,
    });
  });

  test("refuses a device with a licence file", async () => {
    const device = await createDevice(app, licence, { offlineUntil: addMilliseconds(app.clock.now(), DAY) });
    expect((await deactivate(device.id)).data.deactivateDevice).toMatchObject({
      resultCode: 25,
      code: "MACHINE_OFFLINE_LOCKED",
    });
  });

  test("does not count deactivations by admins", async () => {
    const device = await createDevice(app, licence);
    const admin = await signInAs(app, await createAdmin(app));
    expect((await deactivate(device.id, admin)).data.deactivateDevice.resultCode).toBe(1);
  });

  test("audits deactivations by admins, including an overridden licence file, but not deactivations by customers", async () => {
    const customer = await createUser(app);
    const theirs = await createLicence(app, customer, { numberOfMachines: 3 });
    const offlineUntil = addMilliseconds(app.clock.now(), DAY);
    const locked = await createDevice(app, theirs, { machineName: "LAPTOP-ADA|planning.local", offlineUntil });
    const admin = await createAdmin(app);
    const adminToken = await signInAs(app, admin);
    expect((await deactivate(locked.id, adminToken, "Laptop stolen")).data.deactivateDevice.resultCode).toBe(1);
    // The device is already deactivated, so nothing is recorded.
    expect((await deactivate(locked.id, adminToken)).data.deactivateDevice.resultCode).toBe(2);
    const own = await createDevice(app, theirs);
    await deactivate(own.id, await signInAs(app, customer));
    const entries = await app.services.orm.em.fork().find(AuditEntry, { userId: customer.id });
    expect(entries).toMatchObject([
      {
        action: "deactivate-device",
        actorId: admin.id,
        subjectType: "device",
        subjectId: locked.id,
        subjectName: "LAPTOP-ADA",
        before: null,
        after: {
          licence: theirs.supportCode,
          reason: "Laptop stolen",
          licenceFileUntil: offlineUntil.toISOString(),
        },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(theirs.licenceCode);
  });

  test("reports a missing reason under its field and another account's device as not found", async () => {
    const device = await createDevice(app, licence);
    const { errors } = await deactivate(device.id, token, "  ");
    expect(errors?.[0]?.extensions).toEqual({
      code: "BAD_USER_INPUT",
      fields: { reason: ["Please state your reason for deactivation."] },
    });
    const foreign = await deactivate(device.id, await signInAs(app, await createUser(app)));
    expect(foreign.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});
