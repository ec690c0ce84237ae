import { defineMigration } from "#api/platform/database/define-migration.ts";

/**
 * Separates goodwill from money that a customer paid. Credit that staff added is goodwill, and existing invoices used it
 * first. They keep their price.
 */
export const Migration0116 = defineMigration([
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
]);
