import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { Batch, BatchResult } from "#api/platform/database/personal-data.ts";
import { Licence, licenceBacking } from "./licence.entity.ts";
import { recordLicenceEvent } from "./record-licence-event.ts";
import { recordWebhookEvents } from "#api/webhooks/endpoints/record-webhook-event.ts";
import type { RevocationReason } from "#api/webhooks/endpoints/webhook-data.ts";
import { toLicenceData } from "./licence-webhook-data.ts";

/**
 * Maximum number of licences per batch. The number is small because each revocation creates an event and, if webhook
 * endpoints subscribe to it, deliveries.
 */
const MOST_LICENCES = 250;

/** Revokes a batch of the user's licences and records their events and webhooks. */
export async function revokeLicences(batch: Pick<Batch, "context" | "em" | "userId" | "limit">): Promise<BatchResult> {
  const atMost = Math.min(batch.limit, MOST_LICENCES);
  const rows = await revokeBatch(batch.context, batch.em, batch.userId, atMost);
  return { rows, isDone: rows < atMost };
}

async function revokeBatch(context: Context, em: EntityManager, userId: string, limit: number): Promise<number> {
  const found = await query<{ id: string }>(
    em,
    "select id from licences where user_id = $1 and revoked_at is null order by id limit $2 for update",
    [userId, limit],
  );
  const running = await em.find(Licence, { id: { $in: found.map(({ id }) => id) } }, { orderBy: { id: "asc" } });
  for (const licence of running) {
    licence.revokedAt = context.clock.now();
    recordLicenceEvent(context, em, { kind: "revoke", licenceId: licence.id });
  }
  await em.flush();
  await recordRevocations(context, em, running, "account-deleted");
  return running.length;
}

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
