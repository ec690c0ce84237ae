import { expect, test } from "vitest";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { callAddinFrom, callAddin, buildMachine, buildRequest } from "#tests/factories/addin.ts";
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
import { createLease, buildLease } from "#tests/factories/lease.ts";
import { createSignedIn, createUser, signInAs } from "#tests/factories/user.ts";
import { createGoldenComparison } from "#tests/support/golden.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import {
  denyAuthorization,
  openAuthorization,
  pollAuthorization,
  requestAuthorization,
  openConfirmed,
} from "#tests/factories/device-authorization.ts";

const app = await startTestApp();
const { user, token } = await createSignedIn(app);
const sameAs = createGoldenComparison(app);

test("publishes the JSON of activate", async () => {
  await sameAs("activate-valid", await callAddin(app, "activate", await createLicence(app, user)));
  await sameAs("activate-trial", await callAddin(app, "activate", await createTrialLicence(app, user)));
  await sameAs("activate-licence-not-found", await callAddin(app, "activate", { licenceCode: generateLicenceCode() }));
  const licence = await createLicence(app, user);
  await createDevice(app, licence);
  await sameAs("activate-machine-limit-exceeded", await callAddin(app, "activate", licence));
  const machine = buildMachine({ isVm: true });
  const virtual = await callAddin(app, "activate", await createLicence(app, user), { machine });
  await sameAs("activate-vm-not-allowed", virtual);
  const owner = await createUser(app);
  await blockMachine(app, owner, "STOLEN");
  const stolen = buildMachine({ machineName: "Stolen|site" });
  const blocked = await callAddin(app, "activate", await createLicence(app, owner), { machine: stolen });
  await sameAs("activate-machine-blocked", blocked);
  const used = buildMachine();
  await callAddin(app, "activate", await createTrialLicence(app, await createUser(app)), { machine: used });
  const trial = await createTrialLicence(app, await createUser(app));
  await sameAs("activate-trial-already-used", await callAddin(app, "activate", trial, { machine: used }));
});

test("publishes the JSON of validate", async () => {
  const validated = async (licence: Licence, changes: Record<string, unknown> = {}) =>
    callAddinFrom(app, await createDevice(app, licence), "validate", licence, changes);

  await sameAs("validate-valid", await validated(await createLicence(app, user)));
  await sameAs("validate-concurrent", await validated(await createConcurrentLicence(app, user)));
  await sameAs("validate-licence-expired", await validated(await createExpiredLicence(app, user)));
  await sameAs("validate-licence-suspended", await validated(await createSuspendedLicence(app, user)));
  await sameAs("validate-licence-revoked", await validated(await createRevokedLicence(app, user)));
  const archived = await createUser(app, { archivedAt: app.clock.now() });
  await sameAs("validate-account-inactive", await validated(await createLicence(app, archived)));
  const licence = await createLicence(app, user);
  const device = await createDevice(app, licence, { freedAt: app.clock.now() });
  await sameAs("validate-not-activated", await callAddinFrom(app, device, "validate", licence));
  const mismatch = await validated(await createLicence(app, user), { machine: buildMachine() });
  await sameAs("validate-fingerprint-mismatch", mismatch);
  const usedUp = await createTrialLicence(app, user, { usageCount: 20 });
  await sameAs("validate-usage-limit-reached", await validated(usedUp));
  const standard = await createLicence(app, user, { productLevel: 0 });
  await sameAs("validate-feature-not-licensed", await validated(standard, { features: ["costs"] }));
});

const seat = async (changes: Partial<Licence> = {}) => {
  const licence = await createConcurrentLicence(app, user, { numberOfUsers: 1, ...changes });
  return { licence, device: await createDevice(app, licence) };
};

test("publishes the JSON of lease", async () => {
  const { licence, device } = await seat({ limitFloatingLeasePeriodToHours: 8 });
  await sameAs("lease-valid", await buildLease(app, licence, device, { sessionId: "one" }));
  await sameAs("lease-borrowed", await buildLease(app, licence, device, { sessionId: "one", borrowHours: 8 }));
  await sameAs("lease-no-seats-available", await buildLease(app, licence, device, { sessionId: "two" }));
  const standard = await createLicence(app, user);
  await sameAs("lease-not-needed", await buildLease(app, standard, await createDevice(app, standard)));
});

test("publishes the JSON of heartbeat", async () => {
  const { licence, device } = await seat();
  const lapsed = await createLease(app, device, { expiresAt: addMilliseconds(app.clock.now(), -HOUR) });
  const { id } = await createLease(app, device);
  const beat = (leaseId: string) => callAddinFrom(app, device, "heartbeat", licence, { leaseId });
  await sameAs("heartbeat-valid", await beat(id));
  await sameAs("heartbeat-lease-expired", await beat(lapsed.id));
  await sameAs("heartbeat-lease-not-found", await beat(crypto.randomUUID()));
});

test("publishes the JSON of release", async () => {
  const { licence, device } = await seat();
  const { id: leaseId } = await createLease(app, device);
  await sameAs("release-valid", await callAddinFrom(app, device, "release", licence, { leaseId }));
  const other = await createDevice(app, licence);
  await sameAs("release-lease-not-found", await callAddinFrom(app, other, "release", licence, { leaseId }));
});

test("publishes the JSON of usage", async () => {
  const used = async (licence: Licence, id: string) =>
    callAddinFrom(app, await createDevice(app, licence), "usage", licence, {
      events: [{ id, kind: "conversion", atUtc: app.clock.now().toISOString() }],
    });

  await sameAs("usage-valid", await used(await createTrialLicence(app, user), "a"));
  await sameAs("usage-unlimited", await used(await createLicence(app, user), "a"));
  await sameAs("usage-usage-limit-reached", await used(await createTrialLicence(app, user, { usageCount: 20 }), "a"));
});

test("publishes the JSON of deactivate", async () => {
  const reason = "Device change";
  const deactivated = async (owner: Awaited<ReturnType<typeof createUser>>, changes: object = {}) => {
    const licence = await createLicence(app, owner);
    return callAddinFrom(app, await createDevice(app, licence, changes), "deactivate", licence, { reason });
  };

  await sameAs("deactivate-valid", await deactivated(await createUser(app)));
  const owner = await createUser(app, { annualDeactivationLimit: 0 });
  await sameAs("deactivate-deactivation-limit-exceeded", await deactivated(owner));
  const offlineUntil = addMilliseconds(app.clock.now(), DAY);
  await sameAs("deactivate-machine-offline-locked", await deactivated(await createUser(app), { offlineUntil }));
  await sameAs("deactivate-not-activated", await deactivated(await createUser(app), { freedAt: app.clock.now() }));
});

test("publishes the JSON of a move", async () => {
  const owner = await createUser(app, { email: "golden@planning.example.com" });

  const licence = await createLicence(app, owner);
  await createDevice(app, licence, { machineName: "OLD-PC|planning.local" });
  const me = buildMachine();
  await sameAs("move-code-valid", await callAddin(app, "move/code", licence, { machine: me }));
  const [mail] = await listEmailsTo(app, owner.email);
  const emailCode = /\b\d{3} \d{3}\b/.exec(mail?.text ?? "")?.[0];
  await sameAs("move-devices-valid", await callAddin(app, "move/devices", licence, { machine: me, emailCode }));
  await sameAs("move-code-licence-expired", await callAddin(app, "move/code", await createExpiredLicence(app, owner)));
});

test("publishes only public keys in signing-keys", async () => {
  const answer = await app.rest("GET", "/v1/licence/signing-keys");
  await sameAs("signing-keys", answer);
  for (const { x, y } of answer.json.keys) expect([x, y]).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{43}$/)));
});

test("publishes the JSON of sign-in activation", async () => {
  await sameAs("device-authorization", await requestAuthorization(app));
  const licence = await createLicence(app, user);
  await sameAs("sign-in-activation-valid", await pollAuthorization(app, await openConfirmed(app, licence, token)));
  const full = await createLicence(app, user);
  const late = await openConfirmed(app, full, token);
  await createDevice(app, full);
  await sameAs("sign-in-activation-machine-limit-exceeded", await pollAuthorization(app, late));
  const open = await openAuthorization(app);
  await sameAs("device-authorization-pending", await pollAuthorization(app, open));
  await sameAs("device-authorization-slow-down", await pollAuthorization(app, open));
  await denyAuthorization(app, open.userCode, token);
  await sameAs("device-authorization-access-denied", await pollAuthorization(app, open));
  const expired = await openAuthorization(app);
  app.clock.setOffset(16 * MINUTE);
  await sameAs("device-authorization-expired-token", await pollAuthorization(app, expired));
  app.clock.setOffset(0);
  const unknown = { ...expired, deviceCode: "nobody-gave-this" };
  await sameAs("device-authorization-invalid-grant", await pollAuthorization(app, unknown));
});

test("publishes the JSON of a licence file", async () => {
  const uploadRequestFile = (licenceCode: string) =>
    app.rest("POST", "/v1/licence/offline", {
      body: { requestFile: JSON.stringify(buildRequest(app, licenceCode)) },
      token,
    });

  await sameAs("offline-valid", await uploadRequestFile((await createLicence(app, user)).licenceCode));
  await sameAs("offline-licence-expired", await uploadRequestFile((await createExpiredLicence(app, user)).licenceCode));
  const seats = await createConcurrentLicence(app, user, { limitFloatingLeasePeriodToHours: 8 });
  await sameAs("offline-seats", await uploadRequestFile(seats.licenceCode));
  await sameAs("offline-not-found", await uploadRequestFile(generateLicenceCode()));
  const empty = await app.rest("POST", "/v1/licence/offline", { body: { requestFile: "{}" }, token });
  await sameAs("offline-no-request-file", empty);
});

test("publishes the JSON of the portal's machine/:tempId/deactivate", async () => {
  const deactivateInPortal = async (changes: Parameters<typeof createDevice>[2] = {}, owner = user, as = token) => {
    const device = await createDevice(app, await createLicence(app, owner), changes);
    return app.rest("PUT", `/v1/licence/machine/${device.id}/deactivate`, {
      body: { reason: "Device change" },
      token: as,
    });
  };

  await sameAs("portal-deactivate-valid", await deactivateInPortal());
  await sameAs("portal-deactivate-failed", await deactivateInPortal({ freedAt: app.clock.now() }));
  const owner = await createUser(app, { annualDeactivationLimit: 0 });
  const beyondLimit = await deactivateInPortal({}, owner, await signInAs(app, owner));
  await sameAs("portal-deactivate-deactivation-limit-exceeded", beyondLimit);
  const offlineUntil = addMilliseconds(app.clock.now(), DAY);
  await sameAs("portal-deactivate-machine-offline-locked", await deactivateInPortal({ offlineUntil }));
});
