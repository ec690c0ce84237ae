import { WEBHOOK_LOG_DAYS } from "#schema/webhooks.ts";
import { addMilliseconds, DAY, getRealNow } from "#api/platform/clock.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import { defineDestructiveSweep } from "#api/platform/database/database-clock.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { createResealSweep, type SealedColumn } from "#api/platform/keys/sealed-secrets.ts";
import { queueDeliveries } from "./record-webhook-event.ts";
import { isIdleSql, MAX_CONCURRENT_DELIVERIES } from "./concurrent-deliveries.ts";

/** Rows processed per run. */
const BATCH_SIZE = 100;

/**
 * Queues due deliveries, oldest first, including those whose job or attempt was lost with a killed process. Respects the limit
 * per owner, and queues one delivery at a time for a failing endpoint. Skips deliveries locked by other processes.
 */
export const queueDueWebhooks: Sweep = {
  name: "queue-due-webhooks",
  everySeconds: 5,
  run: (context) =>
    inTransaction(context, async (em) => {
      const real = getRealNow(context.clock);
      const due = await query<{ id: string }>(
        em,
        `with due as (
           select d.id, e.owner_id,
                  row_number() over (partition by e.owner_id order by d.next_attempt_at, d.id) as place
             from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
            where d.next_attempt_at <= $1 and ${isIdleSql("d", "$2")}
              and (e.failing_since is null or not exists (
                select from webhook_deliveries o
                 where o.endpoint_id = e.id and o.id <> d.id and o.status = 'pending'
                   and (not (${isIdleSql("o", "$2")})
                        or (o.next_attempt_at <= $1 and (o.next_attempt_at, o.id) < (d.next_attempt_at, d.id)))))
         )
         select d.id from webhook_deliveries d
          where d.id in (
            select due.id from due
             where place <= ${MAX_CONCURRENT_DELIVERIES}
               and place <= ${MAX_CONCURRENT_DELIVERIES} - (
                 select count(*) from webhook_endpoints e join webhook_deliveries o on o.endpoint_id = e.id
                  where e.owner_id = due.owner_id and o.status = 'pending' and not (${isIdleSql("o", "$2")})))
            and d.next_attempt_at <= $1 and ${isIdleSql("d", "$2")}
          order by d.next_attempt_at limit ${BATCH_SIZE} for update of d skip locked`,
        [context.clock.now(), real],
      );
      await queueDeliveries(context, em, due);
      return due.length;
    }),
};

/**
 * Purges deliveries and their attempts after {@link WEBHOOK_LOG_DAYS}, then events without deliveries. Keeps pending
 * deliveries, which can be this old after a long outage.
 */
export const purgeWebhookLog = defineDestructiveSweep({
  name: "purge-webhook-log",
  everySeconds: 3_600,
  async run({ pool }, now) {
    const before = addMilliseconds(now, -WEBHOOK_LOG_DAYS * DAY);
    const deliveries = await pool.query(
      `delete from webhook_deliveries where id in (
         select id from webhook_deliveries where created_at < $1 and status <> 'pending'
          order by id limit 1000 for update skip locked)`,
      [before],
    );
    const events = await pool.query(
      `delete from webhook_events where id in (
         select v.id from webhook_events v
          where v.created_at < $1 and not exists (select from webhook_deliveries d where d.event_id = v.id)
          order by v.id limit 1000 for update skip locked)`,
      [before],
    );
    return (deliveries.rowCount ?? 0) + (events.rowCount ?? 0);
  },
});

/** Columns with the sealed secrets of endpoints. */
export const webhookSecretColumns: readonly SealedColumn[] = ["secret", "previous_secret"].map((column) => ({
  table: "webhook_endpoints",
  column,
  boundTo: "id",
}));

/** Encrypts the secrets of endpoints again with the current encryption key, so that the other keys can be removed. */
export const resealWebhookSecrets = createResealSweep("reseal-webhook-secrets", webhookSecretColumns);
