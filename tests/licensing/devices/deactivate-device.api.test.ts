import { describe, expect, test } from "vitest";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { after, DAY } from "#api/platform/clock.ts";
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
const free = async (deviceId: string, as = token, reason = "Device change") =>
  app.graphql(mutation, { input: { deviceId, reason } }, as);

describe("freeing a device over GraphQL", () => {
  test("answers with the portal's sentences and what is left of the limit", async () => {
    const [first, second] = [await createDevice(app, licence), await createDevice(app, licence)];
    expect((await free(first.id)).data.deactivateDevice).toEqual({
      resultCode: 1,
      code: "VALID",
      message: "You have successfully deactivated the device.",
      deactivationsRemaining: 0,
    });
    expect((await free(first.id)).data.deactivateDevice).toEqual({
      resultCode: 2,
      code: "FAILED",
      message: "Unable to deactivate the device.",
      deactivationsRemaining: 0,
    });
    expect((await free(second.id)).data.deactivateDevice).toEqual({
      resultCode: 3,
      code: "DEACTIVATION_LIMIT_EXCEEDED",
      message:
        "Sorry, you have reached your deactivation limit and therefore cannot deactivate this device. Please contact support.",
      deactivationsRemaining: 0,
    });
  });

  test("says so when the device holds a licence file", async () => {
    const device = await createDevice(app, licence, { offlineUntil: after(app.clock.now(), DAY) });
    expect((await free(device.id)).data.deactivateDevice).toMatchObject({
      resultCode: 25,
      code: "MACHINE_OFFLINE_LOCKED",
    });
  });

  test("is not counted for an admin", async () => {
    const device = await createDevice(app, licence);
    const admin = await signInAs(app, await createAdmin(app));
    expect((await free(device.id, admin)).data.deactivateDevice.resultCode).toBe(1);
  });

  test("by an admin is audited once, a licence file that it overrides included; by a customer it is not", async () => {
    const customer = await createUser(app);
    const theirs = await createLicence(app, customer, { numberOfMachines: 3 });
    const offlineUntil = after(app.clock.now(), DAY);
    const locked = await createDevice(app, theirs, { machineName: "LAPTOP-ADA|planning.local", offlineUntil });
    const admin = await createAdmin(app);
    const adminToken = await signInAs(app, admin);
    expect((await free(locked.id, adminToken, "Laptop stolen")).data.deactivateDevice.resultCode).toBe(1);
    // Freed already: nothing was changed, so nothing is written.
    expect((await free(locked.id, adminToken)).data.deactivateDevice.resultCode).toBe(2);
    const own = await createDevice(app, theirs);
    await free(own.id, await signInAs(app, customer));
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

  test("refuses a missing reason under its field, and a foreign device as missing", async () => {
    const device = await createDevice(app, licence);
    const { errors } = await free(device.id, token, "  ");
    expect(errors?.[0]?.extensions).toEqual({
      code: "BAD_USER_INPUT",
      fields: { reason: ["Please state your reason for deactivation."] },
    });
    const foreign = await free(device.id, await signInAs(app, await createUser(app)));
    expect(foreign.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});
