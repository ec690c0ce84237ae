import { MemberType } from "#schema/catalogue.ts";
import { MINUTE } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { inTransaction } from "#api/platform/database/transactions.ts";
import { isActiveOwnerSql } from "#api/people/users/last-admin.ts";
import { sendEmail } from "#api/messaging/emails/send-email.ts";
import { securityAlert } from "#api/messaging/emails/templates/security-alert.tsx";
import { labelSecurityEvent } from "./security-event.resolver.ts";

/** Name of the setting with the last link that was checked and the time of the last alert. */
const NAME = "security-alerts";

/** Shortest time between two alerts, so that an attack doesn't fill the owners' mailboxes. */
const PAUSE_MS = 15 * MINUTE;

/** Maximum number of lines in an alert. */
const MAX_LINES = 10;

interface Progress {
  readonly link: number;
  readonly sentAt: string | null;
}

/**
 * Emails the owners about locked accounts of admins, reused refresh tokens and changed roles. Events during the pause
 * after an alert are in the next one.
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
  await query(
    em,
    `insert into settings (name, value) values ($1, '{"link": 0, "sentAt": null}') on conflict (name) do nothing`,
    [NAME],
  );
  const [setting] = await query<{ value: Progress }>(
    em,
    "select value from settings where name = $1 for update skip locked",
    [NAME],
  );
  if (!setting) return;
  const { link, sentAt } = setting.value;
  const now = context.clock.now();
  if (sentAt && Math.abs(now.getTime() - new Date(sentAt).getTime()) < PAUSE_MS) return;
  const [last] = await query<{ number: string | null }>(em, "select max(number) as number from audit_links", []);
  const lastLink = Number(last?.number ?? 0);
  if (lastLink === link) return;
  const events = await findAlarmingEvents(em, link, lastLink);
  const progress: Progress = { link: lastLink, sentAt: events.length > 0 ? now.toISOString() : sentAt };
  await query(em, "update settings set value = $2 where name = $1", [NAME, JSON.stringify(progress)]);
  if (events.length === 0) return;
  const data = { events: events.slice(0, MAX_LINES), more: Math.max(0, events.length - MAX_LINES) };
  for (const { firstName, email } of await findOwners(em))
    await sendEmail(context, em, { template: securityAlert, to: email, data: { firstName, ...data } });
}

async function findAlarmingEvents(em: EntityManager, after: number, until: number) {
  const rows = await query<{ type: string; user: string | null; count: number; at: Date | string }>(
    em,
    `select e.type, max(u.first_name || ' ' || u.last_name) as user, sum(e.count)::int as count, max(e.at) as at
       from audit_links l
       join security_events e on e.id = l.entry_id
       left join users u on u.id = e.user_id
      where l.source = 'event' and l.number > $1 and l.number <= $2
        and (e.type in ('refresh.reused', 'role.changed')
             or (e.type = 'sign-in.locked' and u.member_type = ${MemberType.Admin} and u.archived_at is null))
      group by e.type, e.user_id order by max(e.at) desc`,
    [after, until],
  );
  return rows.map(({ type, user, count, at }) => ({
    what: labelSecurityEvent(type),
    user: user ?? "Unknown user",
    count,
    at: new Date(at),
  }));
}

/** Returns the active owners, who may also read the events. */
async function findOwners(em: EntityManager): Promise<{ firstName: string; email: string }[]> {
  return query(
    em,
    `select first_name as "firstName", email from users u
      where ${isActiveOwnerSql("u")} and email_confirmed_at is not null order by id`,
    [],
  );
}
