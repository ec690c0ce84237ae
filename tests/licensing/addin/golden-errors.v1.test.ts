import { afterEach, test } from "vitest";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { addMilliseconds, DAY, HOUR } from "#api/platform/clock.ts";
import { callAddin, callAddinFrom } from "#tests/factories/addin.ts";
import { createConcurrentLicence, createDevice, createLicence, createSubscription } from "#tests/factories/licence.ts";
import { createLease, buildLease } from "#tests/factories/lease.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createUser } from "#tests/factories/user.ts";
import { createGoldenComparison } from "#tests/support/golden.ts";
import { startTestApp } from "#tests/support/test-app.ts";

// These answers depend on service-wide state that would also change other answers: published Production versions and
// exceeded rate limits.
const app = await startTestApp({ rateLimits: true });
const user = await createUser(app);
const sameAs = createGoldenComparison(app);
const sameUpdateAs = createGoldenComparison(app, "/v1/software/release-keys");
await publishTestBuild(app, "7.3.0", { content: "the installer" });
afterEach(() => setMinimumVersion(app.context(), 4, null));

test("publishes the JSON of version checks and warnings", async () => {
  await sameUpdateAs("software-update", await app.rest("GET", "/v1/software/update?stage=4&version=7.2.0"));
  await sameUpdateAs("software-update-none", await app.rest("GET", "/v1/software/update?stage=4&version=7.3.0"));
  const licence = await createLicence(app, user, {
    productLevel: 1,
    expiresAt: addMilliseconds(app.clock.now(), 2 * DAY),
  });
  await createSubscription(app, licence, { status: "past_due" });
  const clientTimeUtc = addMilliseconds(app.clock.now(), -HOUR).toISOString();
  const device = await createDevice(app, licence);
  const warned = await callAddinFrom(app, device, "validate", licence, { clientTimeUtc });
  await sameAs("validate-valid-with-warnings", warned);
  await setMinimumVersion(app.context(), 4, "7.3");
  const licensed = await createLicence(app, user);
  await sameAs("activate-version-not-supported", await callAddin(app, "activate", licensed));
  const known = await createDevice(app, licensed);
  await sameAs("validate-version-not-supported", await callAddinFrom(app, known, "validate", licensed));
  const seats = await createConcurrentLicence(app, user);
  const seated = await createDevice(app, seats);
  await sameAs("lease-version-not-supported", await buildLease(app, seats, seated));
  const { id: leaseId } = await createLease(app, seated);
  await sameAs("heartbeat-version-not-supported", await callAddinFrom(app, seated, "heartbeat", seats, { leaseId }));
});

test("publishes the JSON of errors", async () => {
  await sameAs("error-400-fields", await app.rest("POST", "/v1/licence/validate", { body: {} }));
  const { licenceCode } = await createLicence(app, user);
  const mistyped = `${licenceCode.slice(0, -1)}${licenceCode.endsWith("7") ? "8" : "7"}`;
  await sameAs("error-400-mistyped-code", await callAddin(app, "activate", { licenceCode: mistyped }));
  const answer = await callAddin(app, "move/devices", await createLicence(app, user), { emailCode: "000 000" });
  await sameAs("error-400-email-code", answer);
  const licence = await createLicence(app, user);
  await sameAs("error-401", await callAddin(app, "validate", licence, { machineToken: "nobody-gave-this" }));
  const asked = await createLicence(app, user);
  const answers = [];
  for (let n = 0; n < 4; n++) answers.push(await callAddin(app, "move/code", asked));
  await sameAs("error-429", answers[3] as (typeof answers)[number]);
});
