import { describe, expect, test } from "vitest";
import { ResultCode } from "#schema/catalogue.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { revokeLicences } from "#api/licensing/licences/revoke-licences.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { buildLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const em = () => app.services.orm.em.fork();
const findLicence = (id: string) => em().findOneOrFail(Licence, id);
const listActions = async (id: string) =>
  (await em().find(AuditEntry, { subjectId: id }, { orderBy: { at: "asc", id: "asc" } })).map(({ action }) => action);

const args = "$userId: ID!, $licenceId: ID!";
const pass = "userId: $userId, licenceId: $licenceId";
const changeSeats = (userId: string, licenceId: string, input: object) =>
  app.graphql(
    `mutation (${args}, $input: ChangeSeatsInput!) {
      changeLicenceSeats(${pass}, input: $input) { numberOfUsers numberOfMachines }
    }`,
    { userId, licenceId, input },
    admin,
  );
const deactivate = (userId: string, licenceId: string) =>
  app.graphql(`mutation (${args}) { deactivateLicence(${pass}) { id } }`, { userId, licenceId }, admin);
const reinstate = (userId: string, licenceId: string) =>
  app.graphql(`mutation (${args}) { reinstateLicence(${pass}) { status } }`, { userId, licenceId }, admin);

describe("changing seats", () => {
  test("changes the numbers that devices may use, and records the change", async () => {
    const user = await createCorporateUser(app);
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1, numberOfMachines: 2 });
    const [one, other] = [await createDevice(app, licence), await createDevice(app, licence)];
    await buildLease(app, licence, one);
    expect((await buildLease(app, licence, other)).json.data.resultCode).toBe(ResultCode.NO_SEATS_AVAILABLE);
    const { data } = await changeSeats(user.id, licence.id, {
      numberOfUsers: 2,
      numberOfMachines: 3,
      allowOnVms: true,
    });
    expect(data.changeLicenceSeats).toEqual({ numberOfUsers: 2, numberOfMachines: 3 });
    expect((await findLicence(licence.id)).allowOnVms).toBe(true);
    expect((await buildLease(app, licence, other)).json.data.resultCode).toBe(ResultCode.VALID);
    expect(await listActions(licence.id)).toEqual(["change-seats"]);
  });

  test.each([
    [{ numberOfUsers: 1, numberOfMachines: 2 }, "2 seats are in use, so the number can't be 1. Reduce the use first."],
    [
      { numberOfUsers: 2, numberOfMachines: 1 },
      "2 devices are active, so the number can't be 1. Reduce the use first.",
    ],
  ])("returns CONFLICT for %j while two devices have a seat each", async (numbers, message) => {
    const user = await createCorporateUser(app);
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 2, numberOfMachines: 2 });
    for (const device of [await createDevice(app, licence), await createDevice(app, licence)])
      await buildLease(app, licence, device);
    const { errors } = await changeSeats(user.id, licence.id, { ...numbers, allowOnVms: false });
    expect(errors?.[0]).toMatchObject({ message, extensions: { code: "CONFLICT" } });
    expect(await findLicence(licence.id)).toMatchObject({ numberOfUsers: 2, numberOfMachines: 2 });
    expect(await listActions(licence.id)).toEqual([]);
  });

  test("returns the error of each number out of bounds", async () => {
    const user = await createCorporateUser(app);
    const licence = await createLicence(app, user);
    const input = { numberOfUsers: 0, numberOfMachines: 1_001, allowOnVms: false };
    const { errors } = await changeSeats(user.id, licence.id, input);
    expect(errors?.[0]?.extensions.fields).toEqual({
      numberOfUsers: ["Must be at least 1."],
      numberOfMachines: ["Must be at most 1000."],
    });
  });

  test("returns CONFLICT for a deactivated licence", async () => {
    const user = await createUser(app);
    const licence = await createLicence(app, user);
    await deactivate(user.id, licence.id);
    const input = { numberOfUsers: 1, numberOfMachines: 2, allowOnVms: false };
    expect((await changeSeats(user.id, licence.id, input)).errors?.[0]?.extensions.code).toBe("CONFLICT");
  });
});

describe("reinstating a licence", () => {
  test("makes it work again on the same device, and emails the owner", async () => {
    const user = await createUser(app);
    const licence = await createLicence(app, user);
    const device = await createDevice(app, licence);
    await deactivate(user.id, licence.id);
    expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(
      ResultCode.LICENCE_REVOKED,
    );
    expect((await reinstate(user.id, licence.id)).data).toEqual({ reinstateLicence: { status: "ACTIVE" } });
    expect((await callAddinFrom(app, device, "validate", licence)).json.data.resultCode).toBe(ResultCode.VALID);
    expect((await reinstate(user.id, licence.id)).data).toEqual({ reinstateLicence: { status: "ACTIVE" } });
    expect(await listActions(licence.id)).toEqual(["deactivate-licence", "reinstate-licence"]);
    const emails = await listEmailsTo(app, user.email);
    expect(emails).toHaveLength(2);
    const reinstatement = emails.find(({ subject }) => subject.endsWith("licence works again"));
    expect(reinstatement?.text).toContain(licence.supportCode);
    expect(reinstatement?.text).not.toContain(licence.licenceCode);
  });

  test("returns CONFLICT for a licence that was revoked for another reason, even after a deactivation", async () => {
    const user = await createUser(app);
    const licence = await createLicence(app, user);
    await deactivate(user.id, licence.id);
    await reinstate(user.id, licence.id);
    app.clock.setOffset(60_000);
    try {
      const manager = em();
      await revokeLicences({ context: app.context(), em: manager, userId: user.id, limit: 10 });
      await manager.flush();
    } finally {
      app.clock.setOffset(0);
    }
    const { errors } = await reinstate(user.id, licence.id);
    expect(errors?.[0]?.extensions.code).toBe("CONFLICT");
    expect((await findLicence(licence.id)).revokedAt).not.toBeNull();
  });

  test("returns NOT_FOUND for the licence of another user", async () => {
    const [user, other] = [await createUser(app), await createUser(app)];
    const licence = await createLicence(app, user);
    expect((await reinstate(other.id, licence.id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});
