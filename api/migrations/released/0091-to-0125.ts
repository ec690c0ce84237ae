import { brand } from "#schema/brand.ts";
import { defineMigration } from "#api/platform/database/define-migration.ts";

/** Invisible characters, and dashes, which `schema/clean-text.ts` removes and unifies. */
const invisible = "[\\u00ad\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]";
const dashes = "[\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]";
const key = `regexp_replace(normalize(regexp_replace(compared_code, '${invisible}', '', 'g'), NFKC), '${dashes}', '-', 'g')`;

const toDay = (sql: string) => `(${sql} at time zone '${brand.timeZone}')::date`;

const name = "tax_invoices_replaces_id_unique";

/** Migrations 0091 to 0125, in order. They never change, because databases have run them. */
export const migrations0091To0125 = [
  /** Adds an index for GST on a cash basis, which counts documents by the date of payment. */
  defineMigration("0091-tax-by-payment", [
    `create index "tax_invoices_paid" on "tax_invoices" (paid_at desc, id desc)`,
  ]),
  /** Adds prices with effective dates, moves of subscribers to a new price, and the quoted price of a checkout. */
  defineMigration("0092-price-versions", [
    `create table "plan_price_versions" ("id" uuid not null, "plan_price_id" varchar(255) not null, "aud_cents" int not null, "usd_cents" int not null, "starts_at" timestamptz not null, "reason" varchar(500) not null, "key" uuid null, "created_at" timestamptz not null, primary key ("id"))`,
    `create index "plan_price_versions_plan_price_id_starts_at_index" on "plan_price_versions" ("plan_price_id", "starts_at")`,
    `alter table "plan_price_versions" add constraint "plan_price_versions_key_unique" unique ("key")`,
    `alter table "plan_price_versions" add constraint "plan_price_versions_plan_price_id_foreign" foreign key ("plan_price_id") references "plan_prices" ("id")`,
    `create table "price_moves" ("id" uuid not null, "key" uuid not null, "subscription_id" uuid not null, "plan_price" varchar(255) not null, "from_cents" int not null, "aud_cents" int not null, "renews_at" timestamptz not null, "state" varchar(255) not null default 'queued', "created_at" timestamptz not null, primary key ("id"))`,
    `create index "price_moves_subscription_id_index" on "price_moves" ("subscription_id")`,
    `create unique index price_moves_queued on price_moves (subscription_id) where state = 'queued'`,
    `alter table "price_moves" add constraint "price_moves_key_subscription_id_unique" unique ("key", "subscription_id")`,
    `alter table "price_moves" add constraint "price_moves_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete cascade`,
    `alter table "checkouts" add column "aud_cents" int null`,
    `alter table "subscriptions" add column "next_amount_cents" int null`,
  ]),
  /** Adds pauses of subscriptions, and the paid time that a pause moved. */
  defineMigration("0095-paused-subscriptions", [
    `alter table "subscriptions" add column "paused_until" timestamptz null, add column "moved_until" timestamptz null`,
    `alter table "subscription_actions" add column "pause_until" timestamptz null`,
    `create table "subscription_pauses" ("id" uuid not null, "subscription_id" uuid not null, "paused_at" timestamptz not null, "until" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
    `create index "subscription_pauses_subscription_id_index" on "subscription_pauses" ("subscription_id")`,
    `create unique index subscription_pauses_running on subscription_pauses (subscription_id) where ended_at is null`,
    `alter table "subscription_pauses" add constraint "subscription_pauses_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete cascade`,
  ]),
  /** Adds payments of invoices by card, and where a refund of one goes. */
  defineMigration("0096-card-payments", [
    `create table "card_payments" ("id" uuid not null, "key" varchar(255) not null, "user_id" uuid not null, "invoice_id" uuid not null, "amount_cents" int not null, "payment_method_id" varchar(255) null, "state" varchar(255) not null, "provider_payment_id" varchar(255) null, "message" varchar(255) null, "created_at" timestamptz not null, "finished_at" timestamptz null, primary key ("id"))`,
    `alter table "card_payments" add constraint "card_payments_key_unique" unique ("key")`,
    ...["user_id", "invoice_id"].map(
      (column) => `create index "card_payments_${column}_index" on "card_payments" ("${column}")`,
    ),
    `create unique index card_payments_one_waiting on card_payments (invoice_id) where state in ('pending', 'needs_authentication')`,
    `alter table "card_payments" add constraint "card_payments_user_id_foreign" foreign key ("user_id") references "users" ("id"), add constraint "card_payments_invoice_id_foreign" foreign key ("invoice_id") references "manual_invoices" ("id")`,
  ]),
  /** Adds the index of paused subscriptions, for the sweep that ends pauses. Writers don't wait while it is built. */
  defineMigration(
    "0097-index-of-pauses",
    [
      "drop index concurrently if exists subscriptions_paused",
      `create index concurrently subscriptions_paused on subscriptions (paused_until, id) where paused_until is not null`,
    ],
    { isTransactional: false },
  ),
  /** Allows webhook events about no known user, such as a failed sign-in with an unknown email. */
  defineMigration("0100-webhook-events-without-a-user", [
    `alter table "webhook_events" alter column "user_id" drop not null`,
  ]),
  /** Adds the number of times that a user was signed out everywhere, which makes earlier cookies of known devices invalid. */
  defineMigration("0101-known-device-epochs", [
    `alter table "users" add column "known_device_epoch" int not null default 0`,
  ]),
  /** Stores promo codes in the spelling in which they are compared now. Skips one whose new spelling is taken. */
  defineMigration("0110-one-spelling", [
    `update promo_codes code set compared_code = keys.key
         from (select distinct on (key) id, key from
                (select id, ${key} as key from promo_codes where compared_code ~ '[^\\x01-\\x7e]' and archived_at is null) spelled
              order by key, id) keys
       where code.id = keys.id and code.compared_code <> keys.key
         and not exists (select from promo_codes o where o.compared_code = keys.key and o.archived_at is null)`,
  ]),
  /** Adds the country that was stored before countries were a closed list. The sweep `unify-stored-users` fills it. */
  defineMigration("0111-unlisted-countries", [`alter table "users" add column "unlisted_country" varchar(255) null`]),
  /** Adds the earlier hardware of devices, and how often a device went back to it. */
  defineMigration("0112-alternating-devices", [
    `alter table "devices" add column "earlier_hardware" jsonb null, add column "alternations" int not null default 0, add column "alternated_at" timestamptz null`,
  ]),
  /** Adds the index of devices whose hardware alternates, for the staff's list. Writers don't wait while it is built. */
  defineMigration(
    "0113-index-of-alternating-devices",
    [
      "drop index concurrently if exists devices_alternating",
      `create index concurrently devices_alternating on devices (alternated_at, id) where alternations >= 2 and freed_at is null`,
    ],
    { isTransactional: false },
  ),
  /**
   * Adds the indexes of accounts whose addresses look alike, and of accounts whose country staff should check. Writers don't
   * wait while they are built.
   */
  defineMigration(
    "0114-look-alike-addresses",
    [
      "drop index concurrently if exists users_by_look",
      `create index concurrently users_by_look on users (replace(replace(translate(sign_in_email, 'аеорсухіјѕһԁɡԛѡвнкмтгпзαορνικτυχωօսոհցքզàáâãäåāçćčèéêëēęìíîïīıłñńòóôõöøōśšùúûüūýÿźżž01', 'aeopcyxijshdgqwbhkmtrn3aopvlktuxwounhgpqaaaaaaaccceeeeeeiiiiiilnnooooooossuuuuuyyzzzol'), 'rn', 'm'), 'vv', 'w'))`,
      "drop index concurrently if exists users_unlisted_country",
      `create index concurrently users_unlisted_country on users (registered_at, id) where unlisted_country = country and archived_at is null`,
    ],
    { isTransactional: false },
  ),
  /**
   * Adds the days over which each document is earned. Existing documents get the days of their period, moved by pauses, and
   * end with their subscription or licence. An invoice by hand with a licence is earned from its issue until the licence's
   * end; one without a licence when it was issued. An adjustment note has the days of its invoice.
   */
  defineMigration("0115-service-periods", [
    `create table "service_periods" ("id" uuid not null, "document_id" uuid not null, "subscription_id" uuid null, "licence_id" uuid null, "booked_on" date not null, "first_day" date null, "days" int not null, "last_day" date null, "ended_on" date null, "from_cents" int not null, "to_cents" int not null, primary key ("id"))`,
    `create index "service_periods_document_id_index" on "service_periods" ("document_id")`,
    `create index "service_periods_subscription_id_index" on "service_periods" ("subscription_id")`,
    `create index "service_periods_licence_id_index" on "service_periods" ("licence_id")`,
    `create index "service_periods_booked_on_last_day_index" on "service_periods" ("booked_on", "last_day")`,
    `alter table "service_periods" add constraint "service_periods_document_id_foreign" foreign key ("document_id") references "tax_invoices" ("id")`,
    `alter table "service_periods" add constraint "service_periods_subscription_id_foreign" foreign key ("subscription_id") references "subscriptions" ("id") on delete set null`,
    `alter table "service_periods" add constraint "service_periods_licence_id_foreign" foreign key ("licence_id") references "licences" ("id") on delete set null`,
    `insert into service_periods (id, document_id, subscription_id, licence_id, booked_on, first_day, days,
        last_day, ended_on, from_cents, to_cents)
      with documents as (
        select i.id, i.issued_at, i.total_cents - i.gst_cents as net, s.id as subscription_id,
               coalesce(s.licence_id, m.licence_id) as licence_id, coalesce(s.ended_at, l.revoked_at) as ended_at,
               case when m.id is null then ${toDay("i.period_start")}
                    when (m.licence_terms->>'until')::date >= ${toDay("i.issued_at")} then ${toDay("i.issued_at")} end as first_day,
               case when m.id is null then greatest(${toDay("i.period_start")}, ${toDay("i.period_end")} - 1)
                    else (m.licence_terms->>'until')::date end as last_day
          from tax_invoices i
          left join manual_invoices m on m.tax_invoice_id = i.id
          left join lateral (select a.subscription_id from payment_attempts a
                              where a.provider_invoice_id = i.provider_invoice_id and a.subscription_id is not null limit 1) a on true
          left join subscriptions s on s.id = a.subscription_id
          left join licences l on l.id = m.licence_id
         where i.kind = 'invoice'
      ), moved as (
        select d.id, d.issued_at, d.net, d.subscription_id, d.licence_id, d.ended_at, d.first_day,
               case when d.first_day is not null then d.last_day - d.first_day + 1 else 0 end as days,
               case when d.first_day is not null then d.last_day + (
                 select coalesce(sum(${toDay("coalesce(z.ended_at, z.until)")} - greatest(${toDay("z.paused_at")} + 1, d.first_day)), 0)::int
                   from subscription_pauses z where z.subscription_id = d.subscription_id
                    and ${toDay("z.paused_at")} + 1 <= d.last_day
                    and ${toDay("coalesce(z.ended_at, z.until)")} > greatest(${toDay("z.paused_at")} + 1, d.first_day)) end as last_day
          from documents d
      ), parts as (
        select d.id, d.id as invoice_id, d.issued_at, 0 as from_cents, d.net as to_cents from moved d
        union all
        select n.id, n.adjusts_id, n.issued_at,
               (d.net + sum(n.total_cents - n.gst_cents) over earlier - (n.total_cents - n.gst_cents))::int,
               (d.net + sum(n.total_cents - n.gst_cents) over earlier)::int
          from tax_invoices n join moved d on d.id = n.adjusts_id
        window earlier as (partition by n.adjusts_id order by n.issued_at, n.number)
      )
      select gen_random_uuid(), p.id, d.subscription_id, d.licence_id, ${toDay("p.issued_at")}, d.first_day, d.days,
             d.last_day, case when ${toDay("d.ended_at")} <= d.last_day then ${toDay("d.ended_at")} end, p.from_cents, p.to_cents
        from parts p join moved d on d.id = p.invoice_id`,
  ]),
  /**
   * Separates goodwill from money that a customer paid. Credit that staff added is goodwill, and existing invoices used it
   * first. They keep their price.
   */
  defineMigration("0116-goodwill-credit", [
    `alter table "manual_invoices" add column "goodwill_cents" int not null default 0`,
    `alter table "credit_entries" add column "goodwill_cents" int not null default 0`,
    `update credit_entries set goodwill_cents = amount_cents where kind = 'added'`,
    `with given as (
        select user_id, sum(amount_cents) as cents from credit_entries where kind = 'added' group by user_id
      ), used as (
        select id, user_id, -amount_cents as cents, sum(-amount_cents) over (partition by user_id order by created_at, id) as upto
          from credit_entries where kind = 'applied'
      )
      update credit_entries c set goodwill_cents = least(u.upto - u.cents, g.cents) - least(u.upto, g.cents)
        from used u join given g on g.user_id = u.user_id where c.id = u.id`,
    `update credit_entries r set goodwill_cents = -a.goodwill_cents from credit_entries a
      where r.kind = 'returned' and a.kind = 'applied' and a.invoice_id = r.invoice_id`,
  ]),
  /**
   * Links a re-issued invoice to the invoice that it replaces. Each invoice is replaced once. Payments and credit keep the
   * document that they were recorded for, so that a re-issue doesn't change earlier entries.
   */
  defineMigration("0120-reissued-invoices", [
    `alter table "tax_invoices" add column "replaces_id" uuid null`,
    `alter table "tax_invoices" add constraint "tax_invoices_replaces_id_foreign" foreign key ("replaces_id") references "tax_invoices" ("id") on delete set null not valid`,
    ...["received_payments", "credit_entries"].flatMap((table) => [
      `alter table "${table}" add column "tax_invoice_id" uuid null`,
      `alter table "${table}" add constraint "${table}_tax_invoice_id_foreign" foreign key ("tax_invoice_id") references "tax_invoices" ("id") on delete set null`,
      `create index "${table}_tax_invoice_id_index" on "${table}" ("tax_invoice_id")`,
      `update "${table}" p set tax_invoice_id = m.tax_invoice_id from manual_invoices m where m.id = p.invoice_id`,
    ]),
  ]),
  /** Adds the day through which the accounts are locked. */
  defineMigration("0121-period-lock", [
    `create table "period_locks" ("id" int not null, "locked_through" date null, "reason" text null, "changed_at" timestamptz null, "changed_by_id" uuid null, primary key ("id"))`,
    `insert into period_locks (id) values (1)`,
  ]),
  /** Adds what each file for accounting programs contained, so that later changes can be listed. */
  defineMigration("0122-accounting-exports", [
    `create table "accounting_exports" ("id" uuid not null, "file" varchar(255) not null, "start_date" date not null, "end_date" date not null, "at" timestamptz not null, "by_id" uuid null, "entries" jsonb not null, primary key ("id"))`,
    `create index "accounting_exports_file_at_index" on "accounting_exports" ("file", "at")`,
  ]),
  /** Adds who else gets a customer's invoices, and the purchase order number of new ones. */
  defineMigration("0123-billing-contacts", [
    `create table "billing_contacts" ("id" uuid not null, "user_id" uuid not null, "name" varchar(255) not null default '', "email" varchar(255) not null default '', "second_email" varchar(255) not null default '', "purchase_order" varchar(255) not null default '', primary key ("id"))`,
    `alter table "billing_contacts" add constraint "billing_contacts_user_id_unique" unique ("user_id")`,
    `alter table "billing_contacts" add constraint "billing_contacts_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade`,
  ]),
  /** Adds who accepted a quote. */
  defineMigration("0124-quote-acceptance", [
    `alter table "quotes" add column "accepted_by_name" varchar(255) null, add column "accepted_by_role" varchar(255) null`,
  ]),
  /** Lets each invoice be replaced once. Writers don't wait while the index is built. */
  defineMigration(
    "0125-index-of-reissued-invoices",
    [
      `alter table tax_invoices drop constraint if exists ${name}`,
      `drop index concurrently if exists ${name}`,
      `create unique index concurrently ${name} on tax_invoices (replaces_id)`,
      `alter table tax_invoices add constraint ${name} unique using index ${name}`,
      "alter table tax_invoices validate constraint tax_invoices_replaces_id_foreign",
    ],
    { isTransactional: false },
  ),
];
