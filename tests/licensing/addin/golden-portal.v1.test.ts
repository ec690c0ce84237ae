import { test } from "vitest";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { addMilliseconds, DAY, MINUTE } from "#api/platform/clock.ts";
import { buildRequest } from "#tests/factories/addin.ts";
import {
  confirmAuthorization,
  denyAuthorization,
  openAuthorization,
  pollAuthorization,
  requestAuthorization,
} from "#tests/factories/device-authorization.ts";
import {
  createConcurrentLicence,
  createDevice,
  createExpiredLicence,
  createLicence,
} from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { createGoldenComparison } from "#tests/support/golden.ts";
import { startTestApp } from "#tests/support/test-app.ts";

// These answers involve a user: signing in, the portal and licence files.
const app = await startTestApp();
const user = await createUser(app);
const token = await signInAs(app, user);
const sameAs = createGoldenComparison(app);

test("publishes the JSON of sign-in activation", async () => {
  const confirmed = async (licence: Licence) => {
    const open = await openAuthorization(app);
    await confirmAuthorization(app, { userCode: open.userCode, licenceId: licence.id }, token);
    return open;
  };

  await sameAs("device-authorization", await requestAuthorization(app));
  const licence = await createLicence(app, user);
  await sameAs("sign-in-activation-valid", await pollAuthorization(app, await confirmed(licence)));
  const full = await createLicence(app, user);
  const late = await confirmed(full);
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
  await sameAs("offline-seats", await uploadRequestFile((await createConcurrentLicence(app, user)).licenceCode));
  await sameAs("offline-not-found", await uploadRequestFile(generateLicenceCode()));
  await sameAs(
    "offline-no-request-file",
    await app.rest("POST", "/v1/licence/offline", { body: { requestFile: "{}" }, token }),
  );
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
  await sameAs(
    "portal-deactivate-deactivation-limit-exceeded",
    await deactivateInPortal({}, owner, await signInAs(app, owner)),
  );
  const offlineUntil = addMilliseconds(app.clock.now(), DAY);
  await sameAs("portal-deactivate-machine-offline-locked", await deactivateInPortal({ offlineUntil }));
});
