import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { addMilliseconds, MINUTE } from "#api/platform/clock.ts";
import type { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { RestResponse, TestApp } from "#tests/support/test-app.ts";
import { callAddinFrom } from "./addin.ts";

let count = 0;

/** Requests a lease from a device for a new session, with `changes`. */
export const buildLease = (
  test: TestApp,
  licence: Licence,
  device: Device,
  changes: Record<string, unknown> = {},
): Promise<RestResponse> =>
  callAddinFrom(test, device, "lease", licence, { sessionId: `session-${++count}`, ...changes });

/** Creates a lease that starts now, with `changes`. */
export async function createLease(test: TestApp, device: Device, changes: Partial<Lease> = {}): Promise<Lease> {
  const em = test.services.orm.em.fork();
  const now = test.clock.now();
  const held = { licence: device.licence.id, device: device.id, sessionId: `session-${++count}` };
  const times = { startedAt: now, lastHeartbeatAt: now, expiresAt: addMilliseconds(now, 30 * MINUTE) };
  const created = em.create(Lease, { ...held, ...times, ...changes } as never) as Lease;
  await em.flush();
  return created;
}
