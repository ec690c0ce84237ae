import { describe, test } from "vitest";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { newLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { after, DAY, MINUTE } from "#api/platform/clock.ts";
import { question } from "#tests/factories/addin.ts";
import { confirm, deny, openAuthorization, poll, requestAuthorization } from "#tests/factories/device-authorization.ts";
import {
  createConcurrentLicence,
  createDevice,
  createExpiredLicence,
  createLicence,
} from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { goldenOf } from "#tests/support/golden.ts";
import { startTestApp } from "#tests/support/test-app.ts";

// What the add-in is answered where a person takes part: signing in, the portal, a carried file.
const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);
const sameAs = goldenOf(app);

describe("the published JSON of sign-in activation", () => {
  const confirmed = async (licence: Licence) => {
    const open = await openAuthorization(app);
    await confirm(app, { userCode: open.userCode, licenceId: licence.id }, token);
    return open;
  };

  test("when it begins", async () => {
    await sameAs("device-authorization", await requestAuthorization(app));
  });

  test("when the customer has confirmed", async () => {
    const licence = await createLicence(app, user);
    await sameAs("sign-in-activation-valid", await poll(app, await confirmed(licence)));
  });

  test("when the place went to another meanwhile", async () => {
    const licence = await createLicence(app, user);
    const open = await confirmed(licence);
    await createDevice(app, licence);
    await sameAs("sign-in-activation-machine-limit-exceeded", await poll(app, open));
  });

  test("while it waits, and when it was refused", async () => {
    const open = await openAuthorization(app);
    await sameAs("device-authorization-pending", await poll(app, open));
    await sameAs("device-authorization-slow-down", await poll(app, open));
    await deny(app, open.userCode, token);
    await sameAs("device-authorization-access-denied", await poll(app, open));
  });

  test("when the code has lapsed, or was never given", async () => {
    const open = await openAuthorization(app);
    app.clock.setOffset(16 * MINUTE);
    await sameAs("device-authorization-expired-token", await poll(app, open));
    app.clock.setOffset(0);
    await sameAs("device-authorization-invalid-grant", await poll(app, { ...open, deviceCode: "nobody-gave-this" }));
  });
});

describe("the published JSON of a licence file", () => {
  const asked = (licenceCode: string) =>
    app.rest("POST", "/v1/licence/offline", {
      body: { requestFile: JSON.stringify(question(app, licenceCode)) },
      token,
    });

  test("when it is given", async () => {
    await sameAs("offline-valid", await asked((await createLicence(app, user)).licenceCode));
  });

  test("when the licence refuses, has seats, or is not the customer's", async () => {
    await sameAs("offline-licence-expired", await asked((await createExpiredLicence(app, user)).licenceCode));
    await sameAs("offline-seats", await asked((await createConcurrentLicence(app, user)).licenceCode));
    await sameAs("offline-not-found", await asked(newLicenceCode()));
  });

  test("when the file is none", async () => {
    await sameAs(
      "offline-no-request-file",
      await app.rest("POST", "/v1/licence/offline", { body: { requestFile: "{}" }, token }),
    );
  });
});

describe("the published JSON of the portal's machine/:tempId/deactivate", () => {
  const freed = async (changes: Parameters<typeof createDevice>[2] = {}, owner = user, as = token) => {
    const device = await createDevice(app, await createLicence(app, owner), changes);
    return app.rest("PUT", `/v1/licence/machine/${device.id}/deactivate`, {
      body: { reason: "Device change" },
      token: as,
    });
  };

  test("when the device is freed, and when it was free already", async () => {
    await sameAs("portal-deactivate-valid", await freed());
    await sameAs("portal-deactivate-failed", await freed({ freedAt: app.clock.now() }));
  });

  test("when the limit is reached", async () => {
    const owner = await createUser(app, { annualDeactivationLimit: 0 });
    await sameAs("portal-deactivate-deactivation-limit-exceeded", await freed({}, owner, await signInAs(app, owner)));
  });

  test("when the device holds a licence file", async () => {
    const offlineUntil = after(app.clock.now(), DAY);
    await sameAs("portal-deactivate-machine-offline-locked", await freed({ offlineUntil }));
  });
});
