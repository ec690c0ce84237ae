import { defineMigration } from "#api/platform/database/define-migration.ts";
import { brand } from "#schema/brand.ts";

const documentOf = "coalesce(p.tax_invoice_id, m.tax_invoice_id)";

/** SQL: GST of a part of document `i`. */
const gstUpTo = (part: string) => `round(i.gst_cents::numeric * (${part}) / nullif(i.total_cents, 0))`;

/** SQL: everything that happened. A document of an invoice by hand has its id, also if it was re-issued or voided. */
export const existingEntriesSql = `insert into journal_entries (id, event, at, day, user_id, source_id, document_id, invoice_id, debit, credit, cents, gst_cents)
  with recursive chain as (
    select id as invoice_id, tax_invoice_id as id from manual_invoices where tax_invoice_id is not null
    union all
    select c.invoice_id, i.replaces_id from chain c join tax_invoices i on i.id = c.id where i.replaces_id is not null
  ), by_hand as (
    select invoice_id, id from chain
    union all
    select c.invoice_id, n.id from chain c join tax_invoices n on n.adjusts_id = c.id and n.paid_at is null
  ), credit as (
    select p.id, p.kind, p.user_id, p.created_at as at, ${documentOf} as document_id, m.id as invoice_id,
           p.goodwill_cents - p.amount_cents as cents,
           -p.goodwill_cents + case when p.kind = 'applied' then -m.goodwill_cents else m.goodwill_cents end as goodwill_cents
      from credit_entries p join manual_invoices m on m.id = p.invoice_id where p.kind in ('applied', 'returned')
  ), received as (
    select p.id, 'Payment' as event, p.user_id, p.received_at as at, ${documentOf} as document_id, m.id as invoice_id,
           case when p.method = 'card' then 'card' else 'bank' end as account, p.applied_cents as cents, 1 as place, p.recorded_at
      from received_payments p join manual_invoices m on m.id = p.invoice_id
    union all
    select id, 'Credit used', user_id, at, document_id, invoice_id, 'credit', cents, 0, at from credit where kind = 'applied'
  ), parts as (
    select r.*, sum(cents) over (partition by invoice_id order by place, recorded_at, id) as upto from received r
  ), entries as (
    select 'Document' as event, i.issued_at as at, i.user_id, i.id as source_id, i.id as document_id, b.invoice_id,
           'receivable' as debit, a.account as credit, a.cents, 0 as gst_cents
      from tax_invoices i left join by_hand b on b.id = i.id
      cross join lateral (values ('deferred', i.total_cents - i.gst_cents), ('gst', i.gst_cents)) a(account, cents)
     where a.cents <> 0 or (a.account = 'deferred' and i.total_cents = 0)
    union all
    select case i.kind when 'invoice' then 'Card payment' else 'Refund' end, i.paid_at, i.user_id, i.id, i.id, null,
           case when i.kind = 'adjustment' and i.provider_refund_id is null then 'bank' else 'card' end, 'receivable',
           i.total_cents, i.gst_cents
      from tax_invoices i where i.paid_at is not null and i.due_at is null and i.replaces_id is null
    union all
    select p.event, p.at, p.user_id, p.id, p.document_id, p.invoice_id, p.account, 'receivable', p.cents,
           coalesce(${gstUpTo("p.upto")} - ${gstUpTo("p.upto - p.cents")}, 0)
      from parts p join tax_invoices i on i.id = p.document_id where p.cents <> 0
    union all
    select 'Payment', p.received_at, p.user_id, p.id, ${documentOf}, m.id, case when p.method = 'card' then 'card' else 'bank' end,
           'credit', p.credit_cents, 0
      from received_payments p join manual_invoices m on m.id = p.invoice_id where p.credit_cents <> 0
    union all
    select 'Credit returned', p.at, p.user_id, p.id, p.document_id, p.invoice_id, 'credit', 'receivable', p.cents,
           coalesce(-${gstUpTo("-p.cents")}, 0)
      from credit p join tax_invoices i on i.id = p.document_id where p.kind = 'returned' and p.cents <> 0
    union all
    select case p.kind when 'applied' then 'Credit used' else 'Credit returned' end, p.at, p.user_id, p.id, p.document_id,
           p.invoice_id, 'goodwill', 'receivable', p.goodwill_cents, 0
      from credit p where p.goodwill_cents <> 0
    union all
    select 'Payment', p.created_at, p.user_id, p.id, null, null, 'bank', 'credit', p.amount_cents - p.goodwill_cents, 0
      from credit_entries p where p.kind = 'added' and p.amount_cents <> p.goodwill_cents
  )
  select gen_random_uuid(), event, at, (at at time zone '${brand.timeZone}')::date, user_id, source_id, document_id, invoice_id,
         debit, credit, cents, gst_cents
    from entries on conflict (source_id, event, debit, credit) do nothing`;

/**
 * Adds the entries of the journal, which were calculated from documents, payments and credit before. The last statement
 * writes those of existing ones, and can be repeated.
 */
export const Migration0163 = defineMigration("0163-journal-entries", [
  `create table "journal_entries" ("id" uuid not null, "event" varchar(255) not null, "at" timestamptz not null, "day" date not null, "user_id" uuid not null, "source_id" uuid not null, "document_id" uuid null, "invoice_id" uuid null, "debit" varchar(255) not null, "credit" varchar(255) not null, "cents" int not null, "gst_cents" int not null default 0, primary key ("id"))`,
  `create index "journal_entries_day_index" on "journal_entries" ("day")`,
  `create index "journal_entries_document_id_index" on "journal_entries" ("document_id")`,
  `create index "journal_entries_invoice_id_index" on "journal_entries" ("invoice_id")`,
  `create index "journal_entries_user_id_day_index" on "journal_entries" ("user_id", "day")`,
  `alter table "journal_entries" add constraint "journal_entries_source_id_event_debit_credit_unique" unique ("source_id", "event", "debit", "credit")`,
  `alter table "journal_entries" add constraint "journal_entries_user_id_foreign" foreign key ("user_id") references "users" ("id")`,
  `alter table "journal_entries" add constraint "journal_entries_document_id_foreign" foreign key ("document_id") references "tax_invoices" ("id") on delete set null`,
  `alter table "journal_entries" add constraint "journal_entries_invoice_id_foreign" foreign key ("invoice_id") references "manual_invoices" ("id") on delete set null`,
  `create or replace function "journal_entries_journal_entries_stay_as_recorded_fn"() returns trigger as $$ begin raise exception 'A journal entry stays as it was recorded.'; end; $$ language plpgsql`,
  `create trigger "journal_entries_stay_as_recorded" BEFORE UPDATE OR DELETE on "journal_entries" for each ROW execute function "journal_entries_journal_entries_stay_as_recorded_fn"()`,
  existingEntriesSql,
]);
