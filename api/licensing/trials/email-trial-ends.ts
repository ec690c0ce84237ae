import { MemberType } from "#schema/user.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { finishEach } from "#api/platform/jobs/finish-each.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import type { EmailTemplate } from "#api/messaging/emails/template.tsx";
import { trialEnded } from "#api/messaging/emails/templates/trial-ended.tsx";
import { trialEnding } from "#api/messaging/emails/templates/trial-ending.tsx";
import { emailOwnerOnce, type Owner } from "#api/licensing/licences/email-owner.ts";
import { licenceBacking } from "#api/licensing/licences/licence.entity.ts";
import { isEmailedSql, isInForceSql, isTrialSql } from "#api/licensing/licences/licence-status.ts";

/** Time between the reminder and the end of a trial, in milliseconds (docs/domain.md#emails). */
const ENDING_SOON_MS = 3 * DAY;

/** Customers whose trial ended longer ago than this are no longer emailed. */
const STALE_MS = 90 * DAY;

/** Maximum number of emails of each kind in one run. */
const BATCH_SIZE = 100;

interface RunningTrial extends Owner {
  readonly id: string;
  /** False for corporate customers, to whom staff give a trial, and for subscribers. */
  readonly canSubscribe: boolean;
  /** The connection pool returns timestamps as text in PostgreSQL's format. */
  readonly expires_at: string;
}

/**
 * Emails customers 3 days before their trial ends and again when it has ended, by date or because all conversions are
 * used. Each email is sent once per licence. Trials replaced by a subscription are revoked and get no email.
 */
export const emailTrialEnds: Sweep = {
  name: "announce-trial-ends",
  everySeconds: 60,
  async run(context) {
    const now = context.clock.now();
    const trials = `select l.id, u.id as "userId", u.first_name as "firstName", u.email, l.expires_at,
             u.member_type = ${MemberType.Regular} and ${licenceBacking.get().isSubscribedSql} is null as "canSubscribe"
      from licences l join users u on u.id = l.user_id
      where ${isTrialSql} and ${isInForceSql} and ${isEmailedSql}`;
    const notEmailed = ({ name }: { name: string }) =>
      `not exists (select from mails m where m.dedupe_key = '${name}:' || l.id) order by l.expires_at limit ${BATCH_SIZE}`;

    const ending = await context.pool.query<RunningTrial>(
      `${trials} and l.expires_at > $1 and l.expires_at <= $2
       and (l.usage_limit is null or l.usage_count < l.usage_limit) and ${notEmailed(trialEnding)}`,
      [now, addMilliseconds(now, ENDING_SOON_MS)],
    );
    const ended = await context.pool.query<RunningTrial>(
      `${trials} and l.expires_at > $1 and (l.expires_at <= $2 or l.usage_count >= l.usage_limit) and ${notEmailed(trialEnded)}`,
      [addMilliseconds(now, -STALE_MS), now],
    );
    const reminded = await finishEach(context, ending.rows, (trial) =>
      emailTrialEnd(context, trialEnding, trial, {
        expiresAt: new Date(trial.expires_at),
        canSubscribe: trial.canSubscribe,
      }),
    );
    const notified = await finishEach(context, ended.rows, (trial) =>
      emailTrialEnd(context, trialEnded, trial, { canSubscribe: trial.canSubscribe }),
    );
    return reminded + notified;
  },
};

function emailTrialEnd<Data extends { readonly firstName: string }>(
  context: Context,
  template: EmailTemplate<Data>,
  trial: RunningTrial,
  data: Omit<NoInfer<Data>, "firstName">,
): Promise<boolean> {
  return emailOwnerOnce(context, trial, `${template.name}:${trial.id}`, template, data);
}
