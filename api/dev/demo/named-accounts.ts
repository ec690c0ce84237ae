import { MemberType } from "#schema/user.ts";
import { ProductLevel } from "#schema/product-level.ts";
import { ResultCode } from "#schema/result-code.ts";
import { sendConfirmation } from "#api/access/registration/send-confirmation.ts";
import { PAYMENT_GRACE_MS } from "#api/billing/subscriptions/payment-rules.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, addMonths, DAY, HOUR, MINUTE } from "#api/platform/clock.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { startTrial } from "#api/licensing/trials/start-trial.ts";
import {
  contextAt,
  claimDevice,
  createContact,
  type Demo,
  daysAgo,
  createDeviceHistory,
  generateUser,
  issuePastLicence,
  recordRefusal,
  createPastSubscription,
} from "./history.ts";
import { writeNamedAccountComments } from "./comments.ts";
import { generateMachine } from "./random.ts";
import type { Person } from "./people.ts";

/** Password of every demo account. */
export const demoPassword = "Demo-pass-1";

/** Creates the accounts listed in the README, in the states it describes. */
export async function writeNamedAccounts(demo: Demo, passwordHash: string): Promise<void> {
  const { em, random } = demo;
  const create = (person: Person, company: string, registeredDaysAgo: number, changes: Partial<User> = {}): User => {
    const registeredAt = daysAgo(demo, registeredDaysAgo);
    const email = `${person[2]}@demo.test`;
    return em.create(User, {
      ...generateUser(demo, person, company),
      email,
      signInEmail: email,
      passwordHash,
      registeredAt,
      emailConfirmedAt: registeredAt,
      ...changes,
    });
  };

  const admin = create(["Admin", "Demo", "admin", "au"], "", 720, { memberType: MemberType.Admin });

  const ada = create(["Ada", "Byron", "ada", "au"], "Analytical Planning", 140, { abn: "53 004 085 616" });
  const subscribed = addMonths(demo.now, -2);
  const paidUntil = addMonths(subscribed, 12);
  // Ada used to pay monthly, and kept the licence when changing to yearly.
  const paid = issuePastLicence(demo, ada, addMonths(demo.now, -4), {
    productLevel: ProductLevel.Professional,
    expiresAt: addMilliseconds(paidUntil, PAYMENT_GRACE_MS),
  });
  createPastSubscription(demo, paid, "xer-professional-yearly", "active", paidUntil, subscribed);
  createDeviceHistory(
    demo,
    paid,
    { ...generateMachine(random, "ada"), machineName: "BNE-PLAN-007", isVm: false },
    addMilliseconds(subscribed, DAY),
    daysAgo(demo, 0.2),
  );

  const machineLimitReached = { kind: "activate", resultCode: ResultCode.MACHINE_LIMIT_EXCEEDED } as const;
  recordRefusal(demo, paid, "LAPTOP-ADA|planning.local", daysAgo(demo, 0.25), machineLimitReached);
  recordRefusal(demo, paid, "LAPTOP-ADA|planning.local", daysAgo(demo, 0.249), machineLimitReached);

  create(["Newton", "Park", "new", "au"], "", 2);

  const trial = create(["Tria", "Winters", "trial", "au"], "Winters Project Services", 4);
  await em.flush();
  const trialSince = contextAt(demo, daysAgo(demo, 3));
  const actor = { userId: trial.id, sessionId: trial.id, role: "regular" } as const;
  const { id } = await startTrial({ ...trialSince, em: trialSince.em, actor });
  const trialLicence = await em.findOneOrFail(Licence, id);
  trialLicence.usageCount = 4;
  const trialMachine = { ...generateMachine(random, "tria"), machineName: "LAPTOP-TRIA", isVm: false };
  createDeviceHistory(demo, trialLicence, trialMachine, daysAgo(demo, 2.9), daysAgo(demo, 0.5));
  claimDevice(demo, trialLicence, trialMachine);

  const corporate = create(["Corinne", "Portman", "corporate", "au"], "Great Northern Constructors", 400, {
    memberType: MemberType.Corporate,
    position: "Planning Systems Lead",
  });
  const concurrent = issuePastLicence(demo, corporate, daysAgo(demo, 390), {
    productLevel: 16,
    licenceType: 3,
    licenceActivationType: 2,
    numberOfUsers: 5,
    numberOfMachines: 10,
    floatingHeartBeatIntervalMinutes: 15,
    limitFloatingLeasePeriodToHours: 8,
    purchaseOrderNumber: "PO-104417",
    expiresAt: addMonths(demo.now, 8),
  });
  const machines = ["GNC-PLAN-01", "GNC-PLAN-02", "GNC-SITE-TOWNSVILLE", "GNC-TENDER-04"].map((name) =>
    createDeviceHistory(
      demo,
      concurrent,
      { ...generateMachine(random, "planner"), machineName: name, isVm: false },
      daysAgo(demo, random.int(60, 380)),
      daysAgo(demo, 1),
    ),
  );
  // No add-in sends heartbeats in the demo, so the seats are borrowed.
  for (const [index, device] of machines.slice(0, 3).entries()) {
    const startedAt = addMilliseconds(demo.now, -(index + 1) * 25 * MINUTE);
    const borrowedUntil = addMilliseconds(startedAt, 8 * HOUR);
    em.create(Lease, {
      licence: concurrent,
      device,
      sessionId: `demo-${index}`,
      osUser: device.osUser,
      startedAt,
      lastHeartbeatAt: demo.now,
      expiresAt: borrowedUntil,
      borrowedUntil,
    });
  }
  recordRefusal(demo, concurrent, "GNC-TENDER-05", daysAgo(demo, 2), {
    kind: "validate",
    resultCode: ResultCode.NOT_ACTIVATED,
  });
  for (const days of [1.2, 4.1])
    recordRefusal(demo, concurrent, "GNC-TENDER-04", daysAgo(demo, days), {
      kind: "lease",
      resultCode: ResultCode.NO_SEATS_AVAILABLE,
    });
  createContact(demo, corporate, ["Dimitri", "Karras", "d.karras", "au"], 1);
  createContact(demo, corporate, ["Wendy", "O'Hara", "accounts", "au"], 2);
  createContact(demo, corporate, ["Ravi", "Subramaniam", "it.helpdesk", "au"], 3);
  writeNamedAccountComments(demo, admin, { ada, corporate });

  const unconfirmed = create(["Uma", "Confer", "unconfirmed", "au"], "", 0.1, { emailConfirmedAt: null });
  await em.flush();
  await sendConfirmation(contextAt(demo, unconfirmed.registeredAt), em, unconfirmed);
}
