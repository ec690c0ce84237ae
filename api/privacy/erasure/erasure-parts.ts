import { deleteEmailedLinks, deleteRateLimits, deleteReportFiles, eraseBulkRowsByAddress } from "./custom-parts.ts";
import { ERASED, type ErasurePart, statement } from "./erasure-part.ts";
import { eraseLateEvents } from "./licence-events-part.ts";
import { licenceParts } from "./licence-parts.ts";

/** Replaces the name of an erased member of staff. */
const FORMER_STAFF = "Erased user";

/** Webhook events about the user: those of the closing itself carry ids alone and are still to be delivered. */
const ownEvents = `user_id = :user and (type = 'licence.activated' or created_at < :requestedAt)`;
const ownDeliveries = `
  select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id where e.owner_id = :user
  union all
  select d.id from webhook_deliveries d join webhook_events on webhook_events.id = d.event_id
   where user_id = :user and (type = 'licence.activated' or webhook_events.created_at < :requestedAt)`;

/**
 * Everything personal of a user, part by part. Each part belongs to the area that owns its table; `personal-data.ts` says
 * for every column which part erases it or why it is kept.
 */
export const erasureParts: readonly ErasurePart[] = [
  // Secrets and whatever lets somebody in.
  deleted("email-links", "Email links", "email_tokens", { atClosing: true }),
  deleted("access-tokens", "Personal access tokens", "personal_access_tokens", { atClosing: true }),
  deleted("authenticator-apps", "Authenticator apps", "authenticator_apps", { atClosing: true }),
  deleted("passkeys", "Passkeys", "passkeys", { atClosing: true }),
  deleted("recovery-codes", "Recovery codes", "recovery_codes", { atClosing: true }),
  deleted("two-step-challenges", "Two-step sign-in challenges", "two_step_challenges", { atClosing: true }),
  {
    name: "refresh-tokens",
    title: "Refresh tokens",
    effect: "deleted",
    table: "refresh_tokens",
    run: statement(
      `delete from refresh_tokens where id in (
         select t.id from refresh_tokens t join sessions s on s.id = t.session_id
          where s.user_id = :user or s.viewer_id = :user limit :limit)`,
    ),
  },
  {
    name: "sessions",
    title: "Sessions",
    effect: "deleted",
    table: "sessions",
    run: statement(
      "delete from sessions where id in (select id from sessions where user_id = :user or viewer_id = :user limit :limit)",
    ),
  },

  ...licenceParts,
  deleted("blocked-machines", "Blocked machines", "blocked_machines"),

  // Webhooks: children first, so that no delete cascades over more rows than a batch has.
  {
    name: "webhook-attempts",
    title: "Webhook attempts",
    effect: "deleted",
    table: "webhook_attempts",
    run: statement(
      `delete from webhook_attempts where id in (
         select id from webhook_attempts where delivery_id in (${ownDeliveries}) limit :limit)`,
    ),
  },
  {
    name: "webhook-deliveries",
    title: "Webhook deliveries",
    effect: "deleted",
    table: "webhook_deliveries",
    run: statement(
      `delete from webhook_deliveries where id in (
         select id from webhook_deliveries where id in (${ownDeliveries}) order by id limit :limit for update)`,
    ),
  },
  {
    name: "webhook-events",
    title: "Webhook events",
    effect: "deleted",
    table: "webhook_events",
    run: statement(
      `delete from webhook_events where id in (select id from webhook_events where ${ownEvents} limit :limit)`,
    ),
  },
  deleted("webhook-endpoints", "Webhook endpoints", "webhook_endpoints", { owner: "owner_id" }),

  // What staff keep about the user.
  {
    name: "contacts",
    title: "Contacts, including entries with this address at other accounts",
    effect: "deleted",
    table: "contacts",
    run: statement(
      `delete from contacts where id in (
         select id from contacts
          where user_id = :user or lower(email) = any(:addresses) and added_at <= :requestedAt limit :limit)`,
    ),
  },
  deleted("comments", "Comments about the user", "comments"),
  {
    name: "written-comments",
    title: "Names under comments the user wrote as staff",
    effect: "anonymized",
    table: "comments",
    run: statement(
      `update comments set commented_by = '${FORMER_STAFF}' where id in (
         select id from comments where commented_by_id = :user and commented_by <> '${FORMER_STAFF}' limit :limit)`,
    ),
  },
  {
    name: "contact-messages",
    title: "Messages sent through the contact form",
    effect: "deleted",
    table: "contact_messages",
    run: statement(
      `delete from contact_messages where id in (
         select id from contact_messages
          where user_id = :user or lower(email) = any(:addresses) and received_at <= :requestedAt limit :limit)`,
    ),
  },
  {
    name: "bulk-rows",
    title: "Rows of bulk runs",
    effect: "anonymized",
    table: "bulk_rows",
    run: statement(
      `update bulk_rows set label = '${ERASED}', says = '', faults = '[]', details = null, key = null,
              state = case when details is null then state else 'faulty' end
        where (run_id, row_number) in (
          select run_id, row_number from bulk_rows where user_id = :user and label <> '${ERASED}' limit :limit)`,
    ),
  },
  {
    name: "bulk-rows-by-address",
    title: "Rows of bulk runs with this address",
    effect: "anonymized",
    table: "bulk_rows",
    run: eraseBulkRowsByAddress,
  },
  {
    name: "bulk-runs",
    title: "Bulk runs the user started as staff",
    effect: "anonymized",
    table: "bulk_runs",
    run: statement(
      `update bulk_runs set created_by_name = '${FORMER_STAFF}', ip = '', notes = '[]', file_name = '' where id in (
         select id from bulk_runs where created_by_id = :user and created_by_name <> '${FORMER_STAFF}' limit :limit)`,
    ),
  },
  {
    name: "audit-subjects",
    title: "Audit entries about the user",
    effect: "anonymized",
    table: "audit_entries",
    run: statement(
      `update audit_entries set subject_name = '${ERASED}', before = null, after = null where id in (
         select id from audit_entries
          where user_id = :user and (subject_name <> '${ERASED}' or before is not null or after is not null)
          limit :limit)`,
    ),
  },
  {
    name: "audit-actors",
    title: "Audit entries by the user",
    effect: "anonymized",
    table: "audit_entries",
    run: statement(
      `update audit_entries set actor_name = '${FORMER_STAFF}', ip = '' where id in (
         select id from audit_entries where actor_id = :user and actor_name <> '${FORMER_STAFF}' limit :limit)`,
    ),
  },
  {
    name: "report-files",
    title: "Files of scheduled reports",
    effect: "deleted",
    table: "report_runs",
    run: deleteReportFiles,
  },
  deleted("saved-reports", "Saved reports", "saved_reports", { owner: "owner_id" }),

  // Money: amounts and ids are kept for the books, cards are not.
  {
    name: "cards",
    title: "Card details of subscriptions",
    effect: "anonymized",
    table: "subscriptions",
    run: statement(
      `update subscriptions set card_brand = null, card_last4 = null, card_expires = null where id in (
         select id from subscriptions
          where user_id = :user and num_nonnulls(card_brand, card_last4, card_expires) > 0 limit :limit)`,
    ),
  },

  // Whatever only an address connects with the user.
  {
    name: "unclaimed-registrations",
    title: "Unconfirmed registrations with this address",
    effect: "deleted",
    table: "users",
    run: statement(
      `delete from users where id in (
         select id from users u
          where sign_in_email is null and lower(email) = any(:addresses) and registered_at <= :requestedAt
            and email_confirmed_at is null and archived_at is null and deleted_at is null and member_type = 1
            and not exists (select from licences l where l.user_id = u.id)
            and not exists (select from tax_invoices i where i.user_id = u.id)
            and not exists (select from promo_redemptions p where p.user_id = u.id)
          limit :limit)`,
      100,
    ),
  },
  {
    name: "emails",
    title: "Emails, with text, recipient and attachments",
    effect: "deleted",
    table: "mails",
    run: statement(
      `delete from mails where id in (
         select id from mails
          where (lower("to") = any(:addresses) or lower(reply_to) = any(:addresses)) and number <= :mailsUpTo::bigint
          limit :limit)`,
    ),
  },
  {
    name: "emailed-links",
    title: "Emails with links to addresses that were not confirmed",
    effect: "deleted",
    table: "mails",
    run: deleteEmailedLinks,
  },
  { name: "rate-limits", title: "Rate limits", effect: "deleted", table: "rate_limits", run: deleteRateLimits },
  {
    name: "late-licence-events",
    title: "Licence events written while the account was being closed",
    effect: "anonymized",
    table: "licence_events",
    run: eraseLateEvents,
  },
];

function deleted(
  name: string,
  title: string,
  table: string,
  options: { atClosing?: true; owner?: string } = {},
): ErasurePart {
  const { owner = "user_id", ...rest } = options;
  const run = statement(
    `delete from ${table} where id in (select id from ${table} where ${owner} = :user order by id limit :limit)`,
  );
  return { name, title, table, effect: "deleted", run, ...rest };
}
