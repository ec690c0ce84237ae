import { findLabel } from "#schema/closed-list.ts";
import { MemberType } from "#schema/user.ts";
import { formatAud } from "#schema/money.ts";
import { type SecurityEventType, securityEventTypes } from "#schema/security-event.ts";
import { MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inSavepoint, inTransaction, query, queryRow } from "#api/platform/database/database.ts";
import { saveSetting, takeSetting } from "#api/platform/database/stored-settings.ts";
import { finishEach } from "#api/platform/jobs/finish-each.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { findOwners } from "#api/people/users/last-admin.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { type SecurityAlertEvent, securityAlert } from "#api/messaging/emails/templates/security-alert.tsx";

/** Name of the setting with the last link that was checked and the time of the last alert. */
const NAME = "security-alerts";

/** Shortest time between two alerts, so that an attack doesn't fill the owners' mailboxes. */
const PAUSE_MS = 15 * MINUTE;

/** Exports by one person within an hour that are worth an alert. */
const MANY_EXPORTS = 20;

/** Credit for a customer that is worth an alert, in cents. */
const LARGE_CREDIT_CENTS = 1_000_00;

/** Maximum number of lines in an alert. */
const MAX_LINES = 10;

interface Progress {
  readonly link: number;
  readonly sentAt: string | null;
}

/**
 * Emails the owners about locked accounts of admins, reports of users that something wasn't them, reused refresh tokens,
 * changed roles of admins, withdrawn builds, many exports by one admin and large credits. Events during the pause after an
 * alert are in the next one.
 */
export const alertOwners: Sweep = {
  name: "alert-owners",
  everySeconds: 10,
  async run(context) {
    await inTransaction(context, (em) => sendAlert(context, em));
    return 0;
  },
};

async function sendAlert(context: Context, em: EntityManager): Promise<void> {
  const known = await takeSetting<Progress>(em, NAME, { link: 0, sentAt: null });
  if (!known) return;
  const { link, sentAt } = known;
  const now = context.clock.now();
  if (sentAt && Math.abs(now.getTime() - new Date(sentAt).getTime()) < PAUSE_MS) return;
  const last = await queryRow<{ number: string | null }>(em, "select max(number) as number from audit_links", []);
  const lastLink = Number(last.number ?? 0);
  if (lastLink === link) return;
  const events = await findAlarmingEvents(em, link, lastLink);
  const progress: Progress = { link: lastLink, sentAt: events.length > 0 ? now.toISOString() : sentAt };
  await saveSetting(em, NAME, progress);
  if (events.length === 0) return;
  const data = { events: events.slice(0, MAX_LINES), more: Math.max(0, events.length - MAX_LINES) };
  await finishEach(context, await findOwners(em), ({ firstName, email: to }) =>
    inSavepoint(em, (tx) => sendEmail(context, tx, { template: securityAlert, to, data: { firstName, ...data } })),
  );
}

/** What staff did that an owner should know: events of the security log, and credits from the audit log. */
async function findAlarmingEvents(em: EntityManager, after: number, until: number): Promise<SecurityAlertEvent[]> {
  const rows = await query<{ type: SecurityEventType | null; user: string; count: number; at: Date | string }>(
    em,
    `select what.type, coalesce(max(u.first_name || ' ' || u.last_name), 'Unknown user') as user,
            sum(what.count)::int as count, max(what.at) as at
       from (select e.type, coalesce(e.user_id, e.actor_id) as user_id, e.count, e.at
               from audit_links l join security_events e on e.id = l.entry_id
               left join users u on u.id = e.user_id
              where l.source = 'event' and l.number > $1 and l.number <= $2
                and (e.type in ('account.secured', 'refresh.reused', 'build.withdrawn')
                     or (e.type = 'role.changed' and 'Admin' in (left(e.detail->>'before', 5), left(e.detail->>'after', 5)))
                     or (e.type = 'sign-in.locked' and u.member_type = ${MemberType.Admin} and u.archived_at is null)
                     or (e.type = 'export.made' and u.member_type = ${MemberType.Admin}
                         and (select sum(x.count) from security_events x
                               where x.user_id = e.user_id and x.type = e.type
                                 and x.at between e.at - interval '1 hour' and e.at) >= ${MANY_EXPORTS}))
             union all
             select null, a.actor_id, 1, a.at
               from audit_links l join audit_entries a on a.id = l.entry_id
               join credit_entries c on c.id::text = a.subject_id
              where l.source = 'audit' and l.number > $1 and l.number <= $2
                and a.action = 'add-credit' and c.amount_cents >= ${LARGE_CREDIT_CENTS}) what
       left join users u on u.id = what.user_id
      group by what.type, what.user_id order by max(what.at) desc`,
    [after, until],
  );
  return rows.map(({ type, at, ...row }) => ({
    ...row,
    what: type === null ? `Credit of at least ${formatAud(LARGE_CREDIT_CENTS)}` : findLabel(securityEventTypes, type),
    at: new Date(at),
  }));
}
