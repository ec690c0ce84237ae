import { defineMigration } from "#api/platform/database/define-migration.ts";
import { brand } from "#schema/brand.ts";

const toDay = (sql: string) => `(${sql} at time zone '${brand.timeZone}')::date`;

/**
 * Adds the days over which each document is earned. Existing documents get the days of their period, moved by pauses, and
 * end with their subscription or licence. An invoice by hand with a licence is earned from its issue until the licence's
 * end; one without a licence when it was issued. An adjustment note has the days of its invoice.
 */
export const Migration0115 = defineMigration([
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
]);
