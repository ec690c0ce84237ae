import { expect, test } from "vitest";
import { setMinimumVersion } from "#api/releases/software/set-minimum-version.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import { callAddinFrom } from "#tests/factories/addin.ts";
import { createLease, buildLease } from "#tests/factories/lease.ts";
import { createConcurrentLicence, createDevice } from "#tests/factories/licence.ts";
import { publishTestBuild } from "#tests/factories/software.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
await publishTestBuild(app, "7.3.0");
await setMinimumVersion(app.context(), 4, "7.3.0");

const old = { addInVersion: "7.2.0" };
const now = { addInVersion: "7.3.0" };

test("checks seats before the version: an old add-in is refused for its version only if a seat is available", async () => {
  const licence = await createConcurrentLicence(app, await createUser(app), { numberOfUsers: 1 });
  const [ada, bob] = [await createDevice(app, licence), await createDevice(app, licence)];
  expect((await buildLease(app, licence, ada, old)).json.data.resultCode).toBe(51);
  expect(await app.services.orm.em.fork().count(Lease, { licence: licence.id })).toBe(0);

  const lapsed = await createLease(app, ada, { expiresAt: addMilliseconds(app.clock.now(), -MINUTE) });
  const beat = { leaseId: lapsed.id, ...old };
  expect((await callAddinFrom(app, ada, "heartbeat", licence, beat)).json.data.resultCode).toBe(51);
  const { data } = (await buildLease(app, licence, bob, now)).json;
  expect(data.resultCode).toBe(1);
  expect((await buildLease(app, licence, ada, old)).json.data.resultCode).toBe(30);
  expect((await callAddinFrom(app, ada, "heartbeat", licence, beat)).json.data.resultCode).toBe(31);
  const own = { leaseId: data.lease.id, ...old };
  expect((await callAddinFrom(app, bob, "heartbeat", licence, own)).json.data.resultCode).toBe(51);
});
