/**
 * SQL lateral join: the latest attempt to charge the subscription with table alias `s` as `attempt`, with the columns
 * amount_cents, reason and next_retry_at. All of them are null without an attempt.
 */
export const latestAttemptSql = `left join lateral (
  select p.amount_cents, p.reason, p.next_retry_at from payment_attempts p
   where p.subscription_id = s.id order by p.at desc, p.id desc limit 1) attempt on true`;
