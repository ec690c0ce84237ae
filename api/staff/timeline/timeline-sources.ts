/** What an entry of a timeline is about. */
export enum TimelineKind {
  ACCOUNT = "ACCOUNT",
  SIGN_IN = "SIGN_IN",
  LICENCE = "LICENCE",
  SUBSCRIPTION = "SUBSCRIPTION",
  INVOICE = "INVOICE",
  CONTACT = "CONTACT",
  COMMENT = "COMMENT",
  CHANGE = "CHANGE",
}

/** Columns of an entry: its moment, a key that orders within it and is its id, and what `timeline-words` speaks of. */
interface Columns {
  readonly at: string;
  readonly key: string;
  /** A jsonb object. */
  readonly facts: string;
}

/** One table that entries come from. `o.id` is the user's id, `$2` the number of rows wanted at most. */
export interface TimelineSource {
  readonly kind: TimelineKind;
  readonly columns: Columns;
  /** From and conditions; `older` narrows to what comes after the cursor, `newest` is order and limit. */
  readonly rows: (older: (at: string, key: string) => string, newest: (at: string, key: string) => string) => string;
}

/** Columns of the row `table` as a jsonb object under the names they have in TypeScript. */
const facts = (names: Readonly<Record<string, string>>) =>
  `jsonb_build_object(${Object.entries(names)
    .map(([name, column]) => `'${name}', ${column}`)
    .join(", ")})`;

/** The rows of a table that has an index over its owner and its moment. */
function table(kind: TimelineKind, from: string, columns: Columns): TimelineSource {
  const { at, key } = columns;
  return { kind, columns, rows: (older, newest) => `${from} ${older(at, key)} ${newest(at, key)}` };
}

const auditFacts = {
  at: "a.at",
  key: "'change:' || a.id",
  facts: facts({
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
 * Everything a timeline is merged from, one line a table: another table is another entry here, with its words in
 * `timeline-words.ts`. Each must be read newest first by an index, because all that is read of it is one part.
 */
export const timelineSources: readonly TimelineSource[] = [
  table(
    TimelineKind.ACCOUNT,
    `(select u.id, moments.* from users u cross join lateral (values
        (u.registered_at, '1-registered'), (u.email_confirmed_at, '2-confirmed'), (u.deleted_at, '3-deleted')
      ) moments (at, what)) account
      where account.id = o.id and account.at is not null`,
    {
      at: "account.at",
      key: "'account:' || account.id || '-' || account.what",
      facts: facts({ what: "account.what" }),
    },
  ),
  table(TimelineKind.SIGN_IN, "sessions s where s.user_id = o.id and s.viewer_id is null", {
    at: "s.created_at",
    key: "'session:' || s.id",
    facts: facts({ userAgent: "s.user_agent", ip: "s.ip" }),
  }),
  {
    kind: TimelineKind.LICENCE,
    columns: {
      at: "e.at",
      key: eventKey,
      facts: facts({
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
    // Of each licence no more than one part; nothing happened to one before it was there, so older months are left out.
    rows: (older, newest) =>
      `licences l cross join lateral (
         select * from licence_events e
          where e.licence_id = l.id and e.at >= l.created_at - interval '1 day' ${older("e.at", eventKey)}
         ${newest("e.at", "e.id")}
       ) e where l.user_id = o.id ${newest("e.at", eventKey)}`,
  },
  table(TimelineKind.INVOICE, "tax_invoices t where t.user_id = o.id", {
    at: "t.issued_at",
    key: "'invoice:' || t.id",
    facts: facts({
      number: "t.number",
      kind: "t.kind",
      description: "t.description",
      totalCents: "t.total_cents",
    }),
  }),
  table(
    TimelineKind.SUBSCRIPTION,
    `(select s.id, s.user_id, s.plan_price, moments.* from subscriptions s cross join lateral (values
        (s.started_at, '1-started'), (s.ended_at, '2-ended')) moments (at, what)) s
      where s.user_id = o.id and s.at is not null`,
    {
      at: "s.at",
      key: "'subscription:' || s.id || '-' || s.what",
      facts: facts({ what: "s.what", planPrice: "s.plan_price" }),
    },
  ),
  table(
    TimelineKind.SUBSCRIPTION,
    `subscriptions s join subscription_changes c on c.subscription_id = s.id
      where s.user_id = o.id and c.done_at is not null`,
    {
      at: "c.done_at",
      key: "'plan:' || c.id",
      facts: facts({ what: "'changed'::text", planPrice: "c.plan_price", dueCents: "c.due_cents" }),
    },
  ),
  table(TimelineKind.CONTACT, "audit_entries a where a.user_id = o.id and a.subject_type = 'contact'", auditFacts),
  table(
    TimelineKind.CHANGE,
    "audit_entries a where a.user_id = o.id and a.subject_type not in ('contact', 'comment')",
    auditFacts,
  ),
  table(TimelineKind.COMMENT, "comments c where c.user_id = o.id", {
    at: "c.at",
    key: "'comment:' || c.id",
    facts: facts({ text: "c.text", commentedBy: "c.commented_by" }),
  }),
];
