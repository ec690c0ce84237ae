import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import { saveSetting, takeSetting } from "#api/platform/database/stored-settings.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import type { SecurityEventData, WebhookData } from "./webhook-data.ts";
import { randomUUID } from "node:crypto";
import { readLastLink } from "#api/audit/chain/seal-entries.ts";
import { HOUR } from "#api/platform/clock.ts";
import { isActiveOwnerSql } from "#api/people/users/last-admin.ts";
import { buildInsertEvents, writeEvents } from "./record-webhook-event.ts";

const TYPE = "security-event.created";

/** Name of the setting with the number of the last link of the audit chain that was checked. */
const NAME = "security-webhooks";

/** Maximum number of links processed in one transaction. */
const BATCH_SIZE = 200;

/**
 * Writes a delivery of each new security event for each subscribed endpoint of an owner. The rows of `security_events` are the
 * outbox: they are written in the transaction of what happened, also by commands, and the audit chain numbers them after the
 * commit (decision 0060). The progress is stored in the transaction of the deliveries, so each event gets exactly one for
 * each endpoint.
 */
export const sendSecurityEvents: Sweep = {
  name: "send-security-events",
  everySeconds: 5,
  run: (context) => inTransaction(context, (em) => sendBatch(context, em)),
};

async function sendBatch(context: Context, em: EntityManager): Promise<number> {
  const progress = await takeSetting<{ link: number }>(em, NAME, { link: 0 });
  if (!progress) return 0;
  const { link } = progress;
  const { last, isAwaited } = await queryRow<{ last: string | null; isAwaited: boolean }>(
    em,
    `select (select max(number) from audit_links) as last,
            exists (select from users u join webhook_endpoints e on e.owner_id = u.id
                     where ${isActiveOwnerSql("u")} and e.enabled and e.event_types @> '["${TYPE}"]') as "isAwaited"`,
    [],
  );
  // Without subscribers, the events are skipped.
  const until = Math.min(Number(last ?? 0), isAwaited ? link + BATCH_SIZE : Infinity);
  if (until <= link) return 0;
  if (isAwaited) await writeDeliveries(context, em, link, until);
  await saveSetting(em, NAME, { link: until });
  return until - link;
}

interface LinkedEvent extends Omit<SecurityEventData, "at"> {
  readonly at: Date | string;
  readonly userId: string | null;
}

async function writeDeliveries(context: Context, em: EntityManager, after: number, until: number): Promise<void> {
  const rows = await query<LinkedEvent>(
    em,
    `select e.id, e.type, e.at, u.id as "userId", e.actor_id as "actorId", e.address, e.count, e.detail
       from audit_links l
       join security_events e on e.id = l.entry_id
       left join users u on u.id = e.user_id
      where l.source = 'event' and l.number > $1 and l.number <= $2 order by l.number`,
    [after, until],
  );
  const events = rows.map(
    (row) => ({ id: row.id, type: TYPE, userId: row.userId, payload: buildPayload(row) }) as const,
  );
  await writeEvents(context, em, insertEvents, events);
}

/** Returns the body of an event. Its id is the id of the security event, which is also in the log. */
function buildPayload({ userId, ...row }: LinkedEvent): string {
  const securityEvent: SecurityEventData = { ...row, at: new Date(row.at) };
  const data: WebhookData[typeof TYPE] = { userId, securityEvent };
  return JSON.stringify({ id: row.id, type: TYPE, createdAt: securityEvent.at, data });
}

const LINK_TYPE = "audit-link.created";

/** Name of the setting with the time and the link of the last event. */
const LINK_NAME = "sent-audit-link";

/**
 * Sends the last link of the audit log to owners' endpoints, at most once an hour and only if it is a new one. A copy of the
 * hash on another machine shows whether links were removed from the end (`audit verify --since`).
 */
export const sendLastLink: Sweep = {
  name: "send-audit-link",
  everySeconds: 600,
  async run(context) {
    await inTransaction(context, async (em) => {
      const sent = await takeSetting<{ at?: string; link?: number }>(em, LINK_NAME, {});
      const now = context.clock.now();
      if (!sent || now.getTime() - Date.parse(sent.at ?? "1970-01-01") < HOUR) return;
      const last = await readLastLink(context.pool);
      if (!last || last.number === sent.link) return;
      const id = randomUUID();
      const data: WebhookData[typeof LINK_TYPE] = { link: last.number, hash: last.hash };
      const payload = JSON.stringify({ id, type: LINK_TYPE, createdAt: now, data });
      await writeEvents(context, em, insertEvents, [{ id, type: LINK_TYPE, userId: null, payload }]);
      await saveSetting(em, LINK_NAME, { at: now, link: last.number });
    });
    return 0;
  },
};

/** The statement for events that only owners receive. */
const insertEvents = buildInsertEvents(`(select u.id from users u where ${isActiveOwnerSql("u")}) o`, "true");
