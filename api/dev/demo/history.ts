import { raw } from "@mikro-orm/core";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { Deactivation, Device } from "#api/licensing/devices/device.entity.ts";
import { deriveMachineToken } from "#api/licensing/devices/machine-token.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { type IssueLicenceValues, issueLicence } from "#api/licensing/licences/issue-licence.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { LicenceEventKind } from "#schema/licence-history.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { normaliseEmail } from "#api/licensing/trials/normalise-email.ts";
import { TrialClaim } from "#api/licensing/trials/trial-claim.entity.ts";
import { addMilliseconds, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { randomUUID } from "node:crypto";
import { type Address, type Person, places, positions } from "./people.ts";
import { type Random, type DemoMachine, pickVersions } from "./random.ts";

/** Shared state of the functions that write demo data. */
export interface Demo {
  readonly context: Context;
  readonly em: EntityManager;
  readonly random: Random;
  /** The application's current time. All demo dates are relative to it. */
  readonly now: Date;
}

/** Returns the moment `days` days before the demo's current time. */
export function daysAgo(demo: Demo, days: number): Date {
  return addMilliseconds(demo.now, -days * DAY);
}

/** Returns a context whose clock always returns `moment`. */
export function contextAt(demo: Demo, moment: Date): Context {
  return { ...demo.context, em: demo.em, clock: { now: () => moment } };
}

/** Returns the fields of an invented user, without a password. */
export function generateUser({ random }: Demo, [firstName, lastName, mailbox, place]: Person, company: string) {
  const [country, phone, addresses] = places[place];
  const [streetNumber, streetName, city, state, postCode] = random.pick<Address>(addresses);
  const domain = company
    ? `${
        company
          .normalize("NFD")
          .toLowerCase()
          .replace(/[^a-z]+/g, "") || "yamato"
      }.example`
    : "mail.example";
  const email = `${mailbox}@${domain}`;
  return {
    firstName,
    lastName,
    email,
    signInEmail: email,
    mobile: phone.replace(/#/g, () => String(random.int(0, 9))),
    companyName: company,
    position: random.pick(positions),
    streetNumber,
    streetName,
    city,
    state,
    postCode,
    country,
    fullAddress: `${streetNumber} ${streetName}, ${city} ${state} ${postCode}, ${country}`,
  };
}

/** Issues a licence at the moment `since`, using the product's function. */
export function issuePastLicence(demo: Demo, user: User, since: Date, values: IssueLicenceValues): Licence {
  return issueLicence(contextAt(demo, since), demo.em, user, values);
}

/** Activates a machine and records occasional licence checks until `until`. */
export function createDeviceHistory(
  demo: Demo,
  licence: Licence,
  machine: DemoMachine,
  since: Date,
  until: Date,
): Device {
  const { context, em, random } = demo;
  const id = randomUUID();
  const days = Math.max(0, (until.getTime() - since.getTime()) / DAY);
  const moments = Array.from({ length: Math.min(12, Math.ceil(days)) }, () =>
    addMilliseconds(since, random.next() * days * DAY),
  );
  moments.sort((one, other) => one.getTime() - other.getTime());
  const device = em.create(Device, {
    id,
    licence,
    ...machine,
    tokenHash: hashSecret(deriveMachineToken(context.keys, id)),
    activatedAt: since,
    lastSeenAt: moments.at(-1) ?? since,
  });
  const versions = pickVersions(random);
  const recordRequest = (kind: "activate" | "validate", moment: Date) =>
    recordLicenceEvent(contextAt(demo, moment), em, {
      kind,
      licenceId: licence.id,
      deviceId: id,
      request: { licenceCode: licence.licenceCode, nonce: "demo data", clientTimeUtc: moment, ...versions, machine },
    });
  recordRequest("activate", since);
  for (const moment of moments) {
    const check = recordRequest("validate", moment);
    // A session checks several times. The count is derived from the moment, so that the sequence of random numbers
    // stays the same.
    check.count = 1 + (Math.trunc(moment.getTime() / 60_000) % 9);
    check.lastAt = new Date(
      Math.min(demo.now.getTime(), addMilliseconds(moment, (check.count - 1) * 6 * MINUTE).getTime()),
    );
  }
  return device;
}

/** Records a refused request from a machine that isn't activated on the licence. */
export function recordRefusal(
  demo: Demo,
  licence: Licence,
  machineName: string,
  moment: Date,
  refusal: { kind: LicenceEventKind; resultCode: number },
): void {
  const machine = { machineName, fingerprint: `demo ${machineName}`, isVm: false };
  const { licenceCode } = licence;
  recordLicenceEvent(contextAt(demo, moment), demo.em, {
    ...refusal,
    licenceId: licence.id,
    request: {
      licenceCode,
      nonce: "demo data",
      clientTimeUtc: moment,
      addInVersion: "7.2.0",
      hostVersion: "16.0.17328",
      machine,
    },
  });
}

/** Deactivates a device at a past moment without sending the email. */
export function deactivatePastDevice(
  demo: Demo,
  device: Device,
  user: User,
  moment: Date,
  by: "customer" | "admin",
  reason: string,
): void {
  device.freedAt = moment;
  if (device.lastSeenAt > moment) device.lastSeenAt = moment;
  demo.em.create(Deactivation, { user, device, at: moment, by, reason });
  recordLicenceEvent(contextAt(demo, moment), demo.em, {
    kind: "portal-deactivate",
    licenceId: device.licence.id,
    deviceId: device.id,
    machineName: device.machineName,
  });
}

/** Marks the trial as used for the user and for the machine. */
export function claimTrial(demo: Demo, user: User, licence: Licence, machine: DemoMachine): void {
  user.hasCompletedTrial = true;
  demo.em.create(TrialClaim, {
    kind: "email",
    value: raw("hash_of_email(?)", [normaliseEmail(user.email)]),
    licenceId: licence.id,
    claimedAt: licence.createdAt,
  });
  claimDevice(demo, licence, machine);
}

/** Marks the trial as used for the machine. */
export function claimDevice(demo: Demo, licence: Licence, { fingerprint, components }: DemoMachine): void {
  demo.em.create(TrialClaim, {
    kind: "device",
    value: fingerprint,
    components,
    licenceId: licence.id,
    claimedAt: licence.createdAt,
  });
}

export function createPastSubscription(
  demo: Demo,
  licence: Licence,
  planPrice: string,
  status: Subscription["status"],
  periodEnd: Date,
  startedAt: Date = licence.createdAt,
): void {
  demo.em.create(Subscription, {
    user: licence.user,
    licence,
    planPrice,
    status,
    startedAt,
    currentPeriodEndsAt: periodEnd,
  });
}

export function createContact(
  demo: Demo,
  user: User,
  [firstName, lastName, mailbox, place]: Person,
  contactType: Contact["contactType"],
): void {
  demo.em.create(Contact, {
    user,
    firstName,
    lastName,
    email: `${mailbox}@${user.email.split("@")[1]}`,
    phone: places[place][1].replace(/#/g, () => String(demo.random.int(0, 9))),
    contactType,
    addedAt: user.registeredAt,
  });
}

/** Returns a random moment in the eight hours after `day`, so that lists don't show the same time in every row. */
export function pickWorkingHour(demo: Demo, day: Date): Date {
  return addMilliseconds(day, Math.trunc(demo.random.next() * 8 * HOUR));
}
