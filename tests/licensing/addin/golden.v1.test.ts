import { describe, expect, test } from "vitest";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { newLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { after, DAY, HOUR } from "#api/platform/clock.ts";
import { askFrom, ask, machine } from "#tests/factories/addin.ts";
import {
  blockMachine,
  createConcurrentLicence,
  createDevice,
  createExpiredLicence,
  createLicence,
  createRevokedLicence,
  createSuspendedLicence,
  createTrialLicence,
} from "#tests/factories/licence.ts";
import { createLease, lease } from "#tests/factories/lease.ts";
import { createUser } from "#tests/factories/user.ts";
import { goldenOf } from "#tests/support/golden.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const user = await createUser(app);
const sameAs = goldenOf(app);

describe("the published JSON of activate", () => {
  test("when it gives a place", async () => {
    await sameAs("activate-valid", await ask(app, "activate", await createLicence(app, user)));
  });

  test("on a trial licence", async () => {
    await sameAs("activate-trial", await ask(app, "activate", await createTrialLicence(app, user)));
  });

  test("when the code is not known", async () => {
    await sameAs("activate-licence-not-found", await ask(app, "activate", { licenceCode: newLicenceCode() }));
  });

  test("when no place is left", async () => {
    const licence = await createLicence(app, user);
    await createDevice(app, licence);
    await sameAs("activate-machine-limit-exceeded", await ask(app, "activate", licence));
  });

  test("when the machine is virtual", async () => {
    const licence = await createLicence(app, user);
    await sameAs("activate-vm-not-allowed", await ask(app, "activate", licence, { machine: machine({ isVm: true }) }));
  });

  test("when the machine is blocked", async () => {
    const owner = await createUser(app);
    await blockMachine(app, owner, "STOLEN");
    const stolen = machine({ machineName: "Stolen|site" });
    await sameAs(
      "activate-machine-blocked",
      await ask(app, "activate", await createLicence(app, owner), { machine: stolen }),
    );
  });

  test("when the device had another account's trial", async () => {
    const used = machine();
    await ask(app, "activate", await createTrialLicence(app, await createUser(app)), { machine: used });
    const licence = await createTrialLicence(app, await createUser(app));
    await sameAs("activate-trial-already-used", await ask(app, "activate", licence, { machine: used }));
  });
});

describe("the published JSON of validate", () => {
  const validated = async (licence: Licence, changes: Record<string, unknown> = {}) =>
    askFrom(app, await createDevice(app, licence), "validate", licence, changes);

  test("when the machine may run", async () => {
    await sameAs("validate-valid", await validated(await createLicence(app, user)));
  });

  test("on a concurrent licence", async () => {
    await sameAs("validate-concurrent", await validated(await createConcurrentLicence(app, user)));
  });

  test("when the licence has expired, is suspended or revoked", async () => {
    await sameAs("validate-licence-expired", await validated(await createExpiredLicence(app, user)));
    await sameAs("validate-licence-suspended", await validated(await createSuspendedLicence(app, user)));
    await sameAs("validate-licence-revoked", await validated(await createRevokedLicence(app, user)));
  });

  test("when the account is archived", async () => {
    const archived = await createUser(app, { archivedAt: app.clock.now() });
    await sameAs("validate-account-inactive", await validated(await createLicence(app, archived)));
  });

  test("when the device was freed", async () => {
    const licence = await createLicence(app, user);
    const device = await createDevice(app, licence, { freedAt: app.clock.now() });
    await sameAs("validate-not-activated", await askFrom(app, device, "validate", licence));
  });

  test("when the machine is another", async () => {
    const licence = await createLicence(app, user);
    await sameAs("validate-fingerprint-mismatch", await validated(licence, { machine: machine() }));
  });

  test("when the trial is used up, or the feature not part of the level", async () => {
    const usedUp = await createTrialLicence(app, user, { usageCount: 20 });
    await sameAs("validate-usage-limit-reached", await validated(usedUp));
    const standard = await createLicence(app, user, { productLevel: 0 });
    await sameAs("validate-feature-not-licensed", await validated(standard, { features: ["costs"] }));
  });
});

describe("the published JSON of lease, heartbeat and release", () => {
  const seat = async (changes: Partial<Licence> = {}) => {
    const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1, ...changes });
    return { licence, device: await createDevice(app, licence) };
  };

  test("when a seat is taken, or borrowed", async () => {
    const { licence, device } = await seat({ limitFloatingLeasePeriodToHours: 8 });
    await sameAs("lease-valid", await lease(app, licence, device, { sessionId: "one" }));
    await sameAs("lease-borrowed", await lease(app, licence, device, { sessionId: "one", borrowHours: 8 }));
  });

  test("when no seat is free", async () => {
    const { licence, device } = await seat();
    await createLease(app, device);
    await sameAs("lease-no-seats-available", await lease(app, licence, device));
  });

  test("on a licence without seats", async () => {
    const licence = await createLicence(app, user);
    await sameAs("lease-not-needed", await lease(app, licence, await createDevice(app, licence)));
  });

  test("when the seat is kept, lost to another, or none", async () => {
    const { licence, device } = await seat();
    const lapsed = await createLease(app, device, { expiresAt: after(app.clock.now(), -HOUR) });
    const { id: leaseId } = await createLease(app, device);
    await sameAs("heartbeat-valid", await askFrom(app, device, "heartbeat", licence, { leaseId }));
    await sameAs("heartbeat-lease-expired", await askFrom(app, device, "heartbeat", licence, { leaseId: lapsed.id }));
    const unknown = { leaseId: crypto.randomUUID() };
    await sameAs("heartbeat-lease-not-found", await askFrom(app, device, "heartbeat", licence, unknown));
  });

  test("when it is given back, or another's", async () => {
    const { licence, device } = await seat();
    const { id: leaseId } = await createLease(app, device);
    await sameAs("release-valid", await askFrom(app, device, "release", licence, { leaseId }));
    const other = await createDevice(app, licence);
    await sameAs("release-lease-not-found", await askFrom(app, other, "release", licence, { leaseId }));
  });
});

describe("the published JSON of usage", () => {
  const used = async (licence: Licence, id: string) =>
    askFrom(app, await createDevice(app, licence), "usage", licence, {
      events: [{ id, kind: "conversion", atUtc: app.clock.now().toISOString() }],
    });

  test("when it is recorded, with and without a limit", async () => {
    await sameAs("usage-valid", await used(await createTrialLicence(app, user), "a"));
    await sameAs("usage-unlimited", await used(await createLicence(app, user), "a"));
  });

  test("when nothing was left", async () => {
    await sameAs("usage-usage-limit-reached", await used(await createTrialLicence(app, user, { usageCount: 20 }), "a"));
  });
});

describe("the published JSON of deactivate", () => {
  const reason = "Device change";
  const deactivated = async (owner: Awaited<ReturnType<typeof createUser>>, changes: object = {}) => {
    const licence = await createLicence(app, owner);
    return askFrom(app, await createDevice(app, licence, changes), "deactivate", licence, { reason });
  };

  test("when the place is free", async () => {
    await sameAs("deactivate-valid", await deactivated(await createUser(app)));
  });

  test("when the limit is reached", async () => {
    const owner = await createUser(app, { annualDeactivationLimit: 0 });
    await sameAs("deactivate-deactivation-limit-exceeded", await deactivated(owner));
  });

  test("when the device holds a licence file", async () => {
    const offlineUntil = after(app.clock.now(), DAY);
    await sameAs("deactivate-machine-offline-locked", await deactivated(await createUser(app), { offlineUntil }));
  });

  test("when the device is free already", async () => {
    await sameAs("deactivate-not-activated", await deactivated(await createUser(app), { freedAt: app.clock.now() }));
  });
});

describe("the published JSON of a move", async () => {
  const owner = await createUser(app, { email: "golden@planning.example.com" });

  test("when the code was mailed, and when the devices are listed", async () => {
    const licence = await createLicence(app, owner);
    await createDevice(app, licence, { machineName: "OLD-PC|planning.local" });
    const me = machine();
    await sameAs("move-code-valid", await ask(app, "move/code", licence, { machine: me }));
    const [mail] = await mailsTo(app, owner.email);
    const emailCode = /\b\d{3} \d{3}\b/.exec(mail?.text ?? "")?.[0];
    await sameAs("move-devices-valid", await ask(app, "move/devices", licence, { machine: me, emailCode }));
  });

  test("when the licence has expired", async () => {
    await sameAs("move-code-licence-expired", await ask(app, "move/code", await createExpiredLicence(app, owner)));
  });
});

test("the published JSON of signing-keys holds public keys alone", async () => {
  const answer = await app.rest("GET", "/v1/licence/signing-keys");
  await sameAs("signing-keys", answer);
  for (const { x, y } of answer.json.keys) expect([x, y]).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{43}$/)));
});
