// oxlint-disable max-lines -- one declaration, so that what is kept about people is read in one place

/**
 * What happens to one table when a user is erased. `deleted` names the part that removes the rows as a whole; otherwise
 * every column is listed once: under the part that empties it, under the reason why it is kept, or as not personal.
 */
export type TableTreatment =
  | { readonly deleted: string; readonly alsoKept?: string }
  | {
      readonly erased?: Readonly<Record<string, string>>;
      readonly kept?: Readonly<Record<string, string>>;
      /** Ids, dates, amounts and states that name nobody. */
      readonly impersonal: string;
    };

/** The part of closing an account that comes before all others. */
export const CLOSING = "profile";

const books = "Belongs to the books and names nobody.";
const staffLog = "Says who did what; the name is removed, the id stays.";

/** Every table of the product's schema; column names are separated by spaces. */
export const personalData: Readonly<Record<string, TableTreatment>> = {
  activity_progress: { impersonal: "id counted_until settled_until time_zone" },
  audit_entries: {
    erased: { "audit-subjects": "subject_name before after", "audit-actors": "actor_name ip" },
    kept: { [staffLog]: "actor_id user_id subject_id request_id" },
    impersonal: "id at action subject_type",
  },
  authenticator_apps: { deleted: "authenticator-apps" },
  blocked_machines: { deleted: "blocked-machines" },
  bulk_rows: {
    erased: { "bulk-rows": "label key says faults details" },
    kept: { "Removed with the row after 30 days; ids name nobody.": "user_id licence_id support_code" },
    impersonal: "run_id row_number state",
  },
  bulk_runs: {
    erased: { "bulk-runs": "created_by_name ip notes file_name" },
    kept: {
      [staffLog]: "created_by_id request_id",
      "The uploaded file is removed as soon as it has been read, within a day.": "storage_key",
    },
    impersonal:
      "id kind state created_at options encoding separator faults checked_percent looked_up_to planned faulty done failed started_at finished_at worker_id worker_until rows_removed_at",
  },
  checkouts: {
    kept: {
      [books]: "user_id plan_price promo_code provider_subscription_id",
      "The payment provider's id of a card, which is removed there.": "payment_method_id",
    },
    impersonal: "id request_key state gst_basis_points discount_cents total_cents message created_at ended_at",
  },
  comments: {
    deleted: "comments",
    alsoKept: "Comments that the user wrote as staff about others stay without the name.",
  },
  contact_messages: { deleted: "contact-messages" },
  contacts: { deleted: "contacts" },
  daily_activity: { impersonal: "day kind result_code count" },
  deactivations: {
    erased: { deactivations: "reason" },
    kept: { "Counts against yearly limits of licences; ids name nobody.": "user_id device_id" },
    impersonal: "id at by",
  },
  device_authorizations: {
    deleted: "device-authorizations",
    alsoKept: "A request that nobody has decided belongs to no user and expires within minutes.",
  },
  device_versions: { impersonal: "device_id version seen_on" },
  devices: {
    erased: { devices: "machine_name fingerprint components os_user offline_until freed_at" },
    kept: { "Random; lets the add-in on that machine learn that the account is closed.": "token_hash" },
    impersonal: "id licence_id is_vm activated_at last_seen_at event_id event_at",
  },
  email_tokens: { deleted: "email-links" },
  erasures: {
    erased: { "the end of the erasure": "subject" },
    kept: {
      "Proves the erasure.": "user_id requested_by requested_by_id requested_at finished_at certificate",
      "Salted hash by which the erasure of an address is found.": "email_hash",
    },
    impersonal: "id state progress worked_at",
  },
  leases: {
    erased: { seats: "os_user ended_at ended_by" },
    kept: { "Random id of a session of the add-in.": "session_id" },
    impersonal: "id licence_id device_id started_at last_heartbeat_at expires_at borrowed_until event_id event_at",
  },
  detached_event_months: { impersonal: "name starts_at ends_at detached_at dropped_at" },
  licence_events: {
    erased: { "licence-events": "machine_name os_user ip", "detached-licence-events": "" },
    impersonal: "id at last_at count kind result_code licence_id device_id add_in_version host_version",
  },
  licences: {
    erased: { licences: "revoked_at", "project-terms": "project_term" },
    kept: {
      "Refuses the licence wherever it is still entered.": "licence_code support_code",
      [books]: "user_id purchase_order_number",
    },
    impersonal:
      "id product_level licence_type licence_category licence_activation_type number_of_users number_of_machines limit_floating_lease_period_to_hours floating_heart_beat_interval_minutes allow_on_vms expires_at created_at suspended_at usage_limit usage_count",
  },
  mails: {
    deleted: "emails",
    alsoKept: "The certificate's own email is emptied once it is delivered. All emails are removed after 90 days.",
  },
  mikro_orm_migrations: { impersonal: "id name executed_at" },
  move_codes: { deleted: "move-codes" },
  number_sequences: { impersonal: "name last" },
  passkeys: { deleted: "passkeys" },
  payment_customers: {
    kept: {
      "Late refunds and disputes arrive under this id. Name, email address and cards are removed at the provider.":
        "user_id provider_customer_id",
    },
    impersonal: "last_read last_applied",
  },
  payment_notices: {
    kept: { "Ids of the payment provider; removed 90 days after they were applied.": "customer_id charge_id" },
    impersonal: "id type created_at received_at applied_at",
  },
  personal_access_tokens: { deleted: "access-tokens" },
  plan_prices: { impersonal: "id plan_slug interval aud_cents usd_cents" },
  plans: { impersonal: "slug name product_level retiring sellable" },
  promo_codes: {
    impersonal:
      "id code compared_code discount_type basis_points amount_cents expires_at is_one_time_use_only created_at archived_at revision",
  },
  promo_redemptions: {
    kept: { "Discounts belong to the books, and a one-time code must not work twice.": "user_id checkout_id" },
    impersonal: "id promo_code_id state held_until created_at",
  },
  rate_limits: {
    deleted: "rate-limits",
    alsoKept: "Keys are hashes. Those that contain a network address expire within a day.",
  },
  recovery_codes: { deleted: "recovery-codes" },
  refresh_tokens: { deleted: "refresh-tokens" },
  report_runs: {
    deleted: "report-files",
    alsoKept: "Report files that other admins scheduled before may list the user. They are removed after 7 days.",
  },
  saved_reports: { deleted: "saved-reports" },
  sessions: { deleted: "sessions" },
  settings: { impersonal: "name value" },
  software_builds: {
    kept: { [staffLog]: "uploaded_by_id" },
    impersonal:
      "id stage version version_parts version_source file_name storage_key size_bytes sha256 created_at published_at withdrawn_at",
  },
  software_channels: { impersonal: "stage build_id latest_version minimum_version" },
  software_downloads: { impersonal: "build_id day kind count" },
  software_files: { impersonal: "id build_id kind path path_key storage_key size_bytes sha256" },
  subscription_changes: { impersonal: "id subscription_id plan_price reckoned_at due_cents done_at" },
  subscriptions: {
    erased: { cards: "card_brand card_last4 card_expires", [CLOSING]: "status" },
    kept: { [books]: "user_id licence_id provider_subscription_id" },
    impersonal:
      "id plan_price started_at current_period_ends_at amount_cents is_cancelled_at_period_end next_plan_price paid_until ended_at disputed_at gst_basis_points cancellation_pending_since",
  },
  tax_invoices: {
    kept: {
      "Australian tax law: kept unchanged for 5 years, with the buyer's name, address and ABN; no email address.":
        "user_id buyer card_last4 provider_invoice_id provider_refund_id",
    },
    impersonal:
      "id number kind issued_at paid_at plan_price description period_start period_end lines amount_cents discount_cents gst_cents gst_basis_points total_cents currency seller adjusts_id",
  },
  trial_claims: {
    kept: { "Hashes of the email address and of the device, so that nobody gets a second trial.": "value components" },
    impersonal: "id kind licence_id claimed_at",
  },
  two_step_challenges: { deleted: "two-step-challenges" },
  usage_events: {
    kept: { "Counts conversions; the id is random.": "event_id" },
    impersonal: "licence_id device_id kind at recorded_at",
  },
  users: {
    erased: {
      [CLOSING]:
        "first_name last_name email sign_in_email pending_email email_change_handle password_hash mobile company_name abn position full_address unit_number street_number street_name city state post_code referrer is_tester is_service_provider is_subscribed_to_newsletter two_step_since archived_at deleted_at search",
    },
    kept: {
      "Decides which sales had GST.": "country",
      "Random; leads to a page that says nothing about the account.": "confirmation_handle",
      "Keeps a second trial away.": "has_completed_trial",
    },
    impersonal:
      "id member_type email_confirmed_at annual_deactivation_limit deactivations_reset_at registered_at trial_intent first_signed_in_at issued_w8_form completed_security_information completed_software_qa revision",
  },
  webhook_attempts: { deleted: "webhook-attempts" },
  webhook_deliveries: { deleted: "webhook-deliveries" },
  webhook_endpoints: { deleted: "webhook-endpoints" },
  webhook_events: {
    deleted: "webhook-events",
    alsoKept:
      "Events that announce the end of licences and subscriptions carry ids only and are removed after 30 days.",
  },
};

/** Stores of personal data outside the tables of the product. */
export const otherStores: Readonly<Record<string, string>> = {
  "Stored files: scheduled reports (`reports/`)":
    "Those of the user are removed by the part `report-files`; others expire after 7 days.",
  "Stored files: bulk uploads (`bulk-runs/`)": "Removed as soon as they are read, within a day.",
  "Stored files: builds of the add-in (`software/`)": "Not personal.",
  "Queue (`pgboss`)": "Jobs carry ids only. Addresses are removed from error messages.",
  "Payment provider":
    "The job `sync-payments` ends subscriptions and removes name, email address and cards, and tries again until it can.",
  "Payment simulator (`payment_simulator`)": "Development and tests only; treated like the provider.",
  Logs: "Carry no addresses, names or values of statements.",
  "Browser storage": "Drafts live in the browser's tab and go with it.",
  Backups: "Expire by your retention rules. Run `erase-user` again after restoring one.",
};
