import { hashSecret } from "#api/platform/keys/secrets.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { User } from "#api/people/users/user.entity.ts";
import { BlockedMachine, Device } from "#api/licensing/devices/device.entity.ts";
import { normaliseMachineName } from "#schema/machine-name.ts";
import { deriveMachineToken } from "#api/licensing/devices/machine-token.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { generateLicenceCode, generateSupportCode } from "#api/licensing/licences/licence-code.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { randomUUID } from "node:crypto";

let count = 0;

/** Creates a Professional single-user licence for one machine and one year, with `changes`. */
export async function createLicence(test: TestApp, user: User, changes: Partial<Licence> = {}): Promise<Licence> {
  const em = test.services.orm.em.fork();
  const now = test.clock.now();
  const codes = { licenceCode: generateLicenceCode(), supportCode: generateSupportCode() };
  const values = { ...codes, productLevel: 2, expiresAt: addMilliseconds(now, 365 * DAY), createdAt: now };
  const licence = em.create(Licence, { user: user.id, ...values, ...changes } as never) as Licence;
  await em.flush();
  return licence;
}

export const createExpiredLicence = (test: TestApp, user: User, changes: Partial<Licence> = {}) =>
  createLicence(test, user, { expiresAt: addMilliseconds(test.clock.now(), -DAY), ...changes });

export const createRevokedLicence = (test: TestApp, user: User, changes: Partial<Licence> = {}) =>
  createLicence(test, user, { revokedAt: test.clock.now(), ...changes });

export const createSuspendedLicence = (test: TestApp, user: User, changes: Partial<Licence> = {}) =>
  createLicence(test, user, { suspendedAt: test.clock.now(), ...changes });

export const createTrialLicence = (test: TestApp, user: User, changes: Partial<Licence> = {}) => {
  const expiresAt = addMilliseconds(test.clock.now(), 14 * DAY);
  return createLicence(test, user, { productLevel: 3, expiresAt, usageLimit: 20, ...changes });
};

const concurrent = { licenceType: 3, licenceActivationType: 2, numberOfUsers: 5, numberOfMachines: 10 };
export const createConcurrentLicence = (test: TestApp, user: User, changes: Partial<Licence> = {}) =>
  createLicence(test, user, { ...concurrent, ...changes });

/** Creates an active device on a licence, with `changes`. {@link getMachineToken} returns its token. */
export async function createDevice(test: TestApp, licence: Licence, changes: Partial<Device> = {}): Promise<Device> {
  count++;
  const em = test.services.orm.em.fork();
  const now = test.clock.now();
  const id = randomUUID();
  const tokenHash = hashSecret(deriveMachineToken(test.services.keys, id));
  const names = { machineName: `PLANNING-${count}`, fingerprint: `fingerprint-${count}` };
  const values = { licence: licence.id, ...names, tokenHash, activatedAt: now, lastSeenAt: now };
  const device = em.create(Device, { id, ...values, ...changes } as never) as Device;
  await em.flush();
  return device;
}

/** Returns the machine token of a device that {@link createDevice} created. */
export const getMachineToken = (test: TestApp, device: Device): string =>
  deriveMachineToken(test.services.keys, device.id);

/** Blocks a machine name on all of a user's licences. */
export async function blockMachine(test: TestApp, user: User, machineName: string): Promise<void> {
  const em = test.services.orm.em.fork();
  const names = { machineName, comparedName: normaliseMachineName(machineName) };
  em.create(BlockedMachine, { user: em.getReference(User, user.id), ...names, blockedAt: test.clock.now() });
  await em.flush();
}

/** Creates an active subscription for a licence, with `changes`. */
export async function createSubscription(
  test: TestApp,
  licence: Licence,
  changes: Partial<Subscription> = {},
): Promise<Subscription> {
  const em = test.services.orm.em.fork();
  const now = test.clock.now();
  const owned = { user: em.getReference(User, licence.user.id), licence: em.getReference(Licence, licence.id) };
  const sold = { planPrice: "xer-professional-yearly", status: "active" } as const;
  const times = { startedAt: now, currentPeriodEndsAt: addMilliseconds(now, 365 * DAY) };
  const subscription = em.create(Subscription, { ...owned, ...sold, ...times, ...changes });
  await em.flush();
  return subscription;
}
