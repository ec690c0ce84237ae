import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { Licence } from "./licence.entity.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import type { RevocationReason } from "#api/webhooks/endpoints/webhook-data.ts";
import { licenceBacking } from "./licence-backing.ts";
import { toLicenceData } from "./licence-webhook-data.ts";

/** Records webhook events for revoked licences, and releases their deferred revenue, in the transaction of `em`. */
export async function recordRevocations(
  context: Context,
  em: EntityManager,
  licences: readonly Licence[],
  reason: RevocationReason,
): Promise<void> {
  const revokedAt = context.clock.now();
  const licenceIds = licences.map(({ id }) => id);
  if (licenceIds.length > 0) await licenceBacking.get().releaseRevenue(em, licenceIds, revokedAt);
  await recordWebhookEvents(
    context,
    em,
    licences.map((licence) => ({
      type: "licence.revoked",
      userId: licence.user.id,
      data: { userId: licence.user.id, licence: toLicenceData(licence), reason, revokedAt },
    })),
  );
}
