import { declareEnum } from "#api/platform/graphql/declare.ts";
export const TimelineKind = declareEnum("TimelineKind", "The topic of a timeline entry.", {
  ACCOUNT: "The account, such as its registration.",
  SIGN_IN: "A sign-in.",
  LICENCE: "A licence or one of its devices.",
  SUBSCRIPTION: "A subscription.",
  PAYMENT: "An attempt to charge a card.",
  INVOICE: "A tax invoice or adjustment note.",
  CONTACT: "A contact at the customer's company.",
  COMMENT: "A comment by staff.",
  CHANGE: "A change by staff.",
});
export type TimelineKind = keyof typeof TimelineKind;

/**
 * SQL columns of an entry: its time, its id, which also orders entries with the same time, and the facts to describe.
 */
interface Columns {
  readonly at: string;
  readonly key: string;
  /** The facts as a jsonb object. */
  readonly facts: string;
}

/** A table that provides entries. `o.id` is the user's id, `$2` the maximum number of rows. */
export interface TimelineSource {
  readonly kind: TimelineKind;
  readonly columns: Columns;
  /** Builds the SQL from `from` on. `older` returns the cursor condition, `newest` the order and limit. */
  readonly rows: (older: (at: string, key: string) => string, newest: (at: string, key: string) => string) => string;
}

/** Returns SQL that collects columns in a jsonb object with TypeScript property names. */
const buildFacts = (names: Readonly<Record<string, string>>) =>
  `jsonb_build_object(${Object.entries(names)
    .map(([name, column]) => `'${name}', ${column}`)
    .join(", ")})`;

/** Creates the source for a table with an index on its user and time. */
function tableSource(kind: TimelineKind, from: string, columns: Columns): TimelineSource {
  const { at, key } = columns;
  return { kind, columns, rows: (older, newest) => `${from} ${older(at, key)} ${newest(at, key)}` };
}

const auditFacts = {
  at: "a.at",
  key: "'change:' || a.id",
  facts: buildFacts({
    action: "a.action",
    actorName: "a.actor_name",
    subjectType: "a.subject_type",
    subjectName: "a.subject_name",
    before: "a.before",
    after: "a.after",
  }),
};

const eventKey = "'event:' || lpad(e.id::text, 20, '0')";

/**
 * Sources that the timeline merges. To add a table, add an entry here and describe it in `describeEntry`. Each
 * source needs an index for reading newest rows first, because only one page of it is read.
 */
export const timelineSources: readonly TimelineSource[] = [
  tableSource(
    TimelineKind.ACCOUNT,
    `(select u.id, moments.* from users u cross join lateral (values
        (u.registered_at, '1-registered'), (u.email_confirmed_at, '2-confirmed'), (u.deleted_at, '3-deleted')
      ) moments (at, what)) account
      where account.id = o.id and account.at is not null`,
    {
      at: "account.at",
      key: "'account:' || account.id || '-' || account.what",
      facts: buildFacts({ what: "account.what" }),
    },
  ),
  tableSource(TimelineKind.SIGN_IN, "sessions s where s.user_id = o.id and s.viewer_id is null", {
    at: "s.created_at",
    key: "'session:' || s.id",
    facts: buildFacts({ userAgent: "s.user_agent", ip: "s.ip" }),
  }),
  {
    kind: TimelineKind.LICENCE,
    columns: {
      at: "e.at",
      key: eventKey,
      facts: buildFacts({
        kind: "e.kind",
        resultCode: "e.result_code",
        count: "e.count",
        lastAtMs: "extract(epoch from e.last_at) * 1000",
        machineName: "e.machine_name",
        ip: "e.ip",
        licenceId: "l.id",
        supportCode: "l.support_code",
        productLevel: "l.product_level",
      }),
    },
    // Reads at most one page per licence, and skips partitions from before the licence existed.
    rows: (older, newest) =>
      `licences l cross join lateral (
         select * from licence_events e
          where e.licence_id = l.id and e.at >= l.created_at - interval '1 day' ${older("e.at", eventKey)}
         ${newest("e.at", "e.id")}
       ) e where l.user_id = o.id ${newest("e.at", eventKey)}`,
  },
  tableSource(TimelineKind.INVOICE, "tax_invoices t where t.user_id = o.id", {
    at: "t.issued_at",
    key: "'invoice:' || t.id",
    facts: buildFacts({
      number: "t.number",
      kind: "t.kind",
      description: "t.description",
      totalCents: "t.total_cents",
    }),
  }),
  // A first attempt that succeeds is shown as its tax invoice.
  tableSource(
    TimelineKind.PAYMENT,
    "payment_attempts p where p.user_id = o.id and (p.reason is not null or p.number > 1)",
    {
      at: "p.at",
      key: "'payment:' || p.id",
      facts: buildFacts({
        amountCents: "p.amount_cents",
        reason: "p.reason",
        number: "p.number",
        nextRetryAt: "p.next_retry_at",
        cardLast4: "p.card_last4",
      }),
    },
  ),
  tableSource(
    TimelineKind.SUBSCRIPTION,
    `(select s.id, s.user_id, s.plan_price, moments.* from subscriptions s cross join lateral (values
        (s.started_at, '1-started'), (s.ended_at, '2-ended')) moments (at, what)) s
      where s.user_id = o.id and s.at is not null`,
    {
      at: "s.at",
      key: "'subscription:' || s.id || '-' || s.what",
      facts: buildFacts({ what: "s.what", planPrice: "s.plan_price" }),
    },
  ),
  tableSource(
    TimelineKind.SUBSCRIPTION,
    `subscriptions s join subscription_changes c on c.subscription_id = s.id
      where s.user_id = o.id and c.done_at is not null`,
    {
      at: "c.done_at",
      key: "'plan:' || c.id",
      facts: buildFacts({ what: "'changed'::text", planPrice: "c.plan_price", dueCents: "c.due_cents" }),
    },
  ),
  tableSource(
    TimelineKind.SUBSCRIPTION,
    `subscriptions s join subscription_cancellations c on c.subscription_id = s.id
      cross join lateral (values (c.cancelled_at, 'cancelled'), (c.withdrawn_at, 'resumed')) m (at, what)
      where s.user_id = o.id and m.at is not null`,
    {
      at: "m.at",
      key: "'cancellation:' || c.id || '-' || m.what",
      facts: buildFacts({
        what: "m.what",
        planPrice: "s.plan_price",
        reason: "case m.what when 'cancelled' then c.reason end",
        comment: "case m.what when 'cancelled' then c.comment end",
      }),
    },
  ),
  tableSource(
    TimelineKind.SUBSCRIPTION,
    `subscriptions s join subscription_pauses p on p.subscription_id = s.id
      cross join lateral (values (p.paused_at, 'paused'), (p.ended_at, 'unpaused')) m (at, what)
      where s.user_id = o.id and m.at is not null`,
    {
      at: "m.at",
      key: "'pause:' || p.id || '-' || m.what",
      facts: buildFacts({
        what: "m.what",
        planPrice: "s.plan_price",
        until: "case m.what when 'paused' then p.until end",
      }),
    },
  ),
  tableSource(
    TimelineKind.CONTACT,
    "audit_entries a where a.user_id = o.id and a.subject_type = 'contact'",
    auditFacts,
  ),
  tableSource(
    TimelineKind.CHANGE,
    "audit_entries a where a.user_id = o.id and a.subject_type not in ('contact', 'comment')",
    auditFacts,
  ),
  tableSource(TimelineKind.COMMENT, "comments c where c.user_id = o.id", {
    at: "c.at",
    key: "'comment:' || c.id",
    facts: buildFacts({ text: "c.text", commentedBy: "c.commented_by" }),
  }),
];
