import { describe, expect, test } from "vitest";
import {
  createConcurrentLicence,
  createDevice,
  createLicence,
  createRevokedLicence,
} from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);
const admin = await signInAs(app, await createAdmin(app));
const stranger = await signInAs(app, await createUser(app));

describe("list of a user's licences", () => {
  test("has the same fields for customers and admins", async () => {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner, {
      expiresAt: new Date("2031-03-05T23:30:00.000Z"),
      purchaseOrderNumber: "PO-7",
      licenceType: 4,
      projectTerm: "Stage 2",
    });
    const { status, json } = await app.rest("GET", `/v1/licence/${owner.id}`, { token: await signInAs(app, owner) });
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        id: licence.id,
        licenceCode: licence.licenceCode,
        product: "XER Bridge",
        subscriptionLevel: "Professional",
        expiryDate: "05 March, 2031",
        unformattedExpiryDate: "2031-03-05T23:30:00.000Z",
        licenceType: "Project",
        licenceCategory: "None",
        purchaseOrderNumber: "PO-7",
        projectTerm: "Stage 2",
        status: "ACTIVE",
        productLevel: 2,
        licenceTypeValue: 4,
        licenceCategoryValue: 1,
        licenceActivationType: 0,
        numberOfUsers: 1,
        numberOfMachines: 1,
        limitFloatingLeasePeriodToHours: 0,
        floatingHeartBeatIntervalMinutes: 15,
        allowOnVms: false,
      },
    ]);
    expect((await app.rest("GET", `/v1/licence/${owner.id}`, { token: admin })).json).toEqual(json);
  });

  test("lists the newest licences first, includes revoked ones with their status, and is empty without licences", async () => {
    const owner = await createUser(app);
    const ownToken = await signInAs(app, owner);
    expect((await app.rest("GET", `/v1/licence/${owner.id}`, { token: ownToken })).json).toEqual([]);
    const old = await createRevokedLicence(app, owner, { createdAt: new Date("2024-01-01T00:00:00Z") });
    const recent = await createLicence(app, owner);
    const { json } = await app.rest("GET", `/v1/licence/${owner.id.toUpperCase()}`, { token: ownToken });
    expect(json.map((row: { id: string; status: string }) => [row.id, row.status])).toEqual([
      [recent.id, "ACTIVE"],
      [old.id, "REVOKED"],
    ]);
  });

  test("is visible to corporate customers", async () => {
    const corporate = await createCorporateUser(app);
    await createConcurrentLicence(app, corporate);
    const { json } = await app.rest("GET", `/v1/licence/${corporate.id}`, { token: await signInAs(app, corporate) });
    expect(json).toMatchObject([{ licenceType: "Concurrent", numberOfUsers: 5, numberOfMachines: 10 }]);
  });

  test("returns the same 404 for another user as for an unknown one", async () => {
    const foreign = await app.rest("GET", `/v1/licence/${user.id}`, { token: stranger });
    const unknown = await app.rest("GET", "/v1/licence/7c5a0f0e-2b9d-4a55-9a0b-6a0f3f2d1c11", { token: stranger });
    const malformed = await app.rest("GET", "/v1/licence/me", { token: stranger });
    const unknownToAdmin = await app.rest("GET", "/v1/licence/7c5a0f0e-2b9d-4a55-9a0b-6a0f3f2d1c11", { token: admin });
    for (const answer of [foreign, unknown, malformed, unknownToAdmin]) {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(foreign.text);
    }
  });
});

describe("list of a licence's devices", () => {
  test("lists active devices in the order of activation, with their id also as tempId", async () => {
    const licence = await createLicence(app, user, { numberOfMachines: 3 });
    const second = await createDevice(app, licence, {
      machineName: "SITE-PC|domain",
      activatedAt: new Date("2025-02-01T00:00:00Z"),
      lastSeenAt: new Date("2025-03-05T01:02:03.004Z"),
    });
    const first = await createDevice(app, licence, { activatedAt: new Date("2025-01-01T00:00:00Z") });
    await createDevice(app, licence, { freedAt: app.clock.now() });
    const { status, json } = await app.rest("GET", `/v1/licence/machines/${licence.id}`, { token });
    expect(status).toBe(200);
    expect(json.map((row: { id: string }) => row.id)).toEqual([first.id, second.id]);
    expect(json[1]).toEqual({
      id: second.id,
      tempId: second.id,
      machineName: "SITE-PC|domain",
      lastSeenDateTimeUtc: "2025-03-05T01:02:03.004Z",
      activatedDateTimeUtc: "2025-02-01T00:00:00.000Z",
    });
    expect((await app.rest("GET", `/v1/licence/machines/${licence.id}`, { token: admin })).json).toEqual(json);
  });

  test("returns the same 404 for another user's licence as for an unknown one", async () => {
    const licence = await createLicence(app, user);
    const foreign = await app.rest("GET", `/v1/licence/machines/${licence.id}`, { token: stranger });
    const unknown = await app.rest("GET", `/v1/licence/machines/${user.id}`, { token: stranger });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.text).toBe(unknown.text);
  });
});
