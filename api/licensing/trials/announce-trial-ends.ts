import { ProductLevel } from "#schema/catalogue.ts";
import { after, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { DueWork } from "#api/platform/due-work.ts";
import { sendMail } from "#api/messaging/mails/send-mail.ts";
import { isInForceSql } from "#api/licensing/licences/licence-status.ts";

/** How long before its end a trial is announced to end (docs/domain.md#emails). */
const ENDING_SOON_MS = 3 * DAY;

/** An end longer ago than this is no news to anybody. */
const STALE_MS = 90 * DAY;

/** Mails written in one part of the sweep. */
const AT_ONCE = 100;

interface RunningTrial {
  readonly id: string;
  readonly first_name: string;
  readonly email: string;
  /** The pool under the ORM hands moments over as PostgreSQL writes them. */
  readonly expires_at: string;
}

/**
 * Announces the end of a trial 3 days before it, and once it is there, by date or by conversions used up;
 * each once a licence. A trial that a subscription replaced was revoked and needs no word.
 */
export const announceTrialEnds: DueWork = {
  name: "announce-trial-ends",
  everySeconds: 60,
  async run(context) {
    const now = context.clock.now();
    const trials = `select l.id, u.first_name, u.email, l.expires_at
      from licences l join users u on u.id = l.user_id
      where l.product_level = ${ProductLevel.Trial} and ${isInForceSql} and u.archived_at is null`;
    const unannounced = (key: string) =>
      `not exists (select from mails m where m.dedupe_key = '${key}:' || l.id) order by l.expires_at limit ${AT_ONCE}`;

    const ending = await context.pool.query<RunningTrial>(
      `${trials} and l.expires_at > $1 and l.expires_at <= $2
       and (l.usage_limit is null or l.usage_count < l.usage_limit) and ${unannounced("trial-ending")}`,
      [now, after(now, ENDING_SOON_MS)],
    );
    const ended = await context.pool.query<RunningTrial>(
      `${trials} and l.expires_at > $1 and (l.expires_at <= $2 or l.usage_count >= l.usage_limit) and ${unannounced("trial-ended")}`,
      [after(now, -STALE_MS), now],
    );
    for (const trial of ending.rows) await announce(context, "trial-ending", trial);
    for (const trial of ended.rows) await announce(context, "trial-ended", trial);
    return ending.rows.length + ended.rows.length;
  },
};

async function announce(
  context: Context,
  template: "trial-ending" | "trial-ended",
  trial: RunningTrial,
): Promise<void> {
  const data = { firstName: trial.first_name, expiresAt: new Date(trial.expires_at) };
  await sendMail(context, context.em, { template, to: trial.email, data, dedupeKey: `${template}:${trial.id}` });
}
