import { labelOf, productLevels, ResultCode } from "#schema/catalogue.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { noteChange } from "#api/audit/change-log/note-change.ts";
import { endLeasesOfLicence } from "#api/licensing/leases/release-lease.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { runningStatuses } from "#api/selling/subscriptions/subscription-states.ts";
import { Subscription } from "#api/selling/subscriptions/subscription.entity.ts";
import { recordRevocations } from "#api/webhooks/endpoints/record-revocations.ts";
import { recordSubscriptionChange } from "#api/webhooks/endpoints/record-subscription-change.ts";
import { auditedLicence } from "./audited-licence.ts";
import type { Licence } from "./licence.entity.ts";
import { lockLicenceOf } from "./lock-licences.ts";
import { noteLicenceEvent } from "./note-licence-event.ts";

/**
 * Deactivates a licence for good (DOMAIN §3): its row stays, its seats end, its devices are answered LICENCE_REVOKED.
 * A running subscription behind it ends at the payment provider at once, so that nobody is charged for nothing
 * (decision 0033). The customer gets a mail. Doing it twice changes nothing.
 * @throws AppError NOT_FOUND, alike for an unknown licence and one of another user.
 */
export async function deactivateLicence(context: Context, userId: string, licenceId: string): Promise<Licence> {
  return context.em.fork().transactional(async (em) => {
    const licence = await lockLicenceOf(em, userId, licenceId);
    if (licence.revokedAt) return licence;
    const now = context.clock.now();
    const before = auditedLicence(licence);
    licence.revokedAt = now;
    noteLicenceEvent(context, em, { kind: "revoke", resultCode: ResultCode.VALID, licenceId: licence.id });
    await endLeasesOfLicence(em, licence.id, now, "admin");
    const endsSubscription = await endSubscriptionOf(context, em, licence);
    await noteChange(context, em, {
      action: "deactivate-licence",
      subject: { type: "licence", id: licence.id, name: licence.supportCode },
      userId: licence.user.id,
      before,
      after: auditedLicence(licence),
    });
    await em.flush();
    await recordRevocations(context, em, [licence], "deactivated");
    await announce(context, em, licence, endsSubscription);
    return licence;
  });
}

/** @returns whether one was running. */
async function endSubscriptionOf(context: Context, em: EntityManager, licence: Licence): Promise<boolean> {
  const running = await em.findOne(Subscription, { licence: licence.id, status: { $in: [...runningStatuses] } });
  if (!running) return false;
  if (running.providerSubscriptionId) {
    // The provider is asked after the commit, and again until it answers; what it says then is written down.
    await context.jobs.add(em, "sync-payments", { userId: licence.user.id });
    return true;
  }
  // From before the provider: nothing is charged, and nobody would ever write its end down.
  running.status = "cancelled";
  running.endedAt = context.clock.now();
  await recordSubscriptionChange(context, em, running, ["ended"]);
  return true;
}

async function announce(
  context: Context,
  em: EntityManager,
  { user, productLevel, supportCode, revokedAt }: Licence,
  endsSubscription: boolean,
): Promise<void> {
  if (!user.emailConfirmedAt || user.archivedAt) return;
  await sendMail(context, em, {
    template: "licence-deactivated",
    to: user.email,
    data: {
      firstName: user.firstName,
      subscriptionLevel: labelOf(productLevels, productLevel),
      supportCode,
      at: revokedAt ?? context.clock.now(),
      endsSubscription,
    },
  });
}
