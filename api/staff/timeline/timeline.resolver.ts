import { Arg, Args, Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";
import { AuditEntry } from "#api/audit/change-log/audit-entry.entity.ts";
import { Allow, createPage, field, Scope } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import {
  calculateRowsCost,
  checkHistorySize,
  HistoryArgs,
  MAX_HISTORY_ROWS,
  buildHistoryPage,
  type PageOf,
  type KeysetPosition,
  buildMomentColumns,
  buildMomentSql,
  parseCursor,
  formatCursor,
} from "#api/platform/graphql/page.ts";
import { createRowLoader, createLoader } from "#api/platform/graphql/loaders.ts";
import { TimelineEntry, describeEntry } from "./describe-entry.ts";
import { TimelineKind, type TimelineSource, timelineSources } from "./timeline-sources.ts";
import { foldText } from "#schema/search.ts";
import { findPlanPrices } from "#api/billing/plans/plan.entity.ts";
import { badInput } from "#api/platform/errors.ts";

export const TimelinePage = createPage("TimelinePage", "admin", "A page of a timeline, newest first.", {
  rows: field.list(() => TimelineEntry, "The entries of the page.", { access: Scope("users:read") }),
});
export type TimelinePage = InstanceType<typeof TimelinePage>;

/** Calculates the query cost. Every page reads all tables of the user, and a search reads up to 1,000 rows. */
const costOfTimeline = ({
  args,
  childComplexity,
}: {
  args: { first?: number; search?: string | null };
  childComplexity: number;
}) => calculateRowsCost(args.first ?? 20, childComplexity) + (args.search?.trim() ? 600 : 20);

const loadAuditEntry = createRowLoader(AuditEntry);

@Resolver(() => TimelineEntry)
export class TimelineEntryResolver {
  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => AuditEntry, { nullable: true, description: "The audit entry of a change by staff, or null." })
  async auditEntry(@Root() { id }: TimelineEntry, @Ctx() context: Context): Promise<AuditEntry | null> {
    const [, entryId] = /^change:(.+)$/.exec(id) ?? [];
    return entryId === undefined ? null : loadAuditEntry(context, entryId);
  }
}

@Resolver(() => User)
export class TimelineResolver {
  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => TimelinePage, {
    description:
      "The history of the user's account, newest first: account events, sign-ins, licences, subscriptions, invoices, contacts, comments and changes by staff.",
    complexity: costOfTimeline,
  })
  async timeline(
    @Root() user: User,
    @Args(() => HistoryArgs) { first, after }: HistoryArgs,
    @Arg("kinds", () => [TimelineKind], {
      nullable: true,
      description: "Kinds of entries to include. Defaults to all.",
    })
    kinds: TimelineKind[] | undefined,
    @Arg("search", () => String, {
      nullable: true,
      description:
        "Words that entries must contain. Each request searches up to 1,000 entries; `endCursor` isn't null if there are older ones.",
    })
    search: string | undefined,
    @Ctx() context: Context,
  ): Promise<TimelinePage> {
    return getTimeline(context, user.id, { first, after, kinds, search });
  }
}

/** Values of an entry that has no details. */
const noDetails = {
  subject: null,
  detail: null,
  actorName: null,
  count: 1,
  lastAt: null,
  licenceId: null,
  supportCode: null,
  changes: [],
};

interface TimelineRequest {
  /** Maximum number of rows to return. */
  readonly first: number;
  readonly after?: string | null | undefined;
  /** Kinds to include; all if omitted or empty. */
  readonly kinds?: readonly TimelineKind[] | null | undefined;
  /** Words that entries must contain. One request searches at most {@link MAX_ENTRIES_SEARCHED} entries. */
  readonly search?: string | null | undefined;
}

/** Maximum number of entries that one search reads. The next request continues at the cursor. */
const MAX_ENTRIES_SEARCHED = 1_000;

/** Maximum length of a search, in characters. */
const MAX_SEARCH_LENGTH = 200;

/**
 * Returns a page of a user's history, newest first, with one statement across all tables. At most one page of rows is
 * read from each table, using its index. Users requested in the same tick share the statement.
 * @throws AppError BAD_USER_INPUT if the count or cursor is invalid.
 */
export async function getTimeline(
  context: Context,
  userId: string,
  request: TimelineRequest,
): Promise<PageOf<TimelineEntry>> {
  if ((request.search?.length ?? 0) > MAX_SEARCH_LENGTH)
    throw badInput({ search: [`At most ${MAX_SEARCH_LENGTH} characters.`] });
  const terms = foldText(request.search ?? "")
    .split(/\s+/)
    .filter(Boolean);
  return terms.length > 0 ? searchTimeline(context, userId, request, terms) : loadPage(context, userId, request);
}

/**
 * Reads the newest entries page by page until enough match, because their text is not in the database. The cursor
 * points to the last entry that was read.
 */
async function searchTimeline(
  context: Context,
  userId: string,
  request: TimelineRequest,
  terms: string[],
): Promise<PageOf<TimelineEntry>> {
  const { first, kinds } = request;
  checkHistorySize(first);
  const rows: TimelineEntry[] = [];
  const isContinued = Boolean(request.after);
  const build = (endCursor: string | null) => {
    const isTotalCapped = isContinued || endCursor !== null;
    return { rows, total: rows.length, isTotalCapped, endCursor };
  };
  let { after } = request;
  for (let read = 0; read < MAX_ENTRIES_SEARCHED; read += MAX_HISTORY_ROWS) {
    const page = await loadPage(context, userId, { first: MAX_HISTORY_ROWS, after, kinds });
    for (const row of page.rows) {
      if (!matchesTerms(row, terms)) continue;
      if (rows.length === first) return build(page.cursors.get(rows.at(-1)?.id ?? "") ?? after ?? null);
      rows.push(row);
    }
    if (page.endCursor === null) return build(null);
    after = page.endCursor;
  }
  return build(after ?? null);
}

function matchesTerms(
  { title, subject, detail, actorName, supportCode, changes }: TimelineEntry,
  terms: string[],
): boolean {
  const values = changes.flatMap(({ field, before, after }) => [field, before, after]);
  const text = foldText([title, subject, detail, actorName, supportCode, ...values].filter(Boolean).join(" "));
  return terms.every((term) => text.includes(term));
}

/** A page of a user's timeline with the cursor of each entry. */
interface Page extends PageOf<TimelineEntry> {
  readonly cursors: ReadonlyMap<string, string>;
}

/** Start of a user's page; null for the newest entries. */
interface PageStart {
  readonly userId: string;
  readonly from: KeysetPosition | null;
}

async function loadPage(context: Context, userId: string, { first, after, kinds }: TimelineRequest): Promise<Page> {
  checkHistorySize(first);
  const from = after ? parseCursor(after, (key) => /^[a-z]+:[\w-]+$/.test(key)) : null;
  return loadPages(context, { userId, from }, { first, isContinued: from !== null, kinds: kinds?.toSorted() ?? [] });
}

const loadPages = createLoader(
  async (
    context: Context,
    starts: readonly PageStart[],
    { first, isContinued, kinds }: { first: number; isContinued: boolean; kinds: readonly TimelineKind[] },
  ): Promise<Page[]> => {
    type Row = { place: number; kind: TimelineKind; key: string; facts: never; atMs: number; atMicros: string };
    const sources = kinds.length > 0 ? timelineSources.filter(({ kind }) => kinds.includes(kind)) : timelineSources;
    const { rows } = await context.pool.query<Row>({
      // Prepare only the statement for all kinds, because there are too many combinations of kinds.
      ...(sources === timelineSources ? { name: `timeline${isContinued ? "-after" : ""}` } : {}),
      text: buildStatement(sources, isContinued),
      values: [JSON.stringify(starts.map(({ userId, from }, place) => ({ place, id: userId, ...from }))), first + 1],
    });
    const planPrices = await findPlanPrices(
      context.em,
      rows.filter(({ kind }) => kind === "SUBSCRIPTION").map(({ facts }) => (facts as { planPrice: string }).planPrice),
    );
    const byPlace = starts.map((): Row[] => []);
    for (const row of rows) byPlace[row.place]?.push(row);
    return byPlace.map((found) => {
      const toCursor = ({ key, atMicros }: Row) => formatCursor({ micros: atMicros, key });
      const toRow = ({ kind, key, facts, atMs }: Row): TimelineEntry => ({
        id: key,
        kind,
        at: new Date(atMs),
        ...noDetails,
        ...describeEntry[kind](facts, planPrices),
      });
      const cursors = new Map(found.map((row) => [row.key, toCursor(row)]));
      return { ...buildHistoryPage(found, { first, isContinued, toRow, toCursor }), cursors };
    });
  },
);

/** Builds the statement. Users come from jsonb, so PostgreSQL keeps one plan for any number of users. */
function buildStatement(sources: readonly TimelineSource[], isContinued: boolean): string {
  const moment = buildMomentSql("o.micros");
  // The first condition uses the index; the second orders entries with the same time.
  const older = (at: string, key: string) =>
    isContinued ? `and ${at} <= ${moment} and (${at}, (${key}) collate "C") < (${moment}, o.key)` : "";
  const newest = (at: string, key: string) =>
    `order by ${at} desc, ${key === "e.id" ? key : `(${key}) collate "C"`} desc limit $2::int`;
  const branches = sources.map(
    ({ kind, columns: { at, key, facts }, rows }) =>
      `(select '${kind}' as kind, ${at} as at, ${key} as key, ${facts} as facts from ${rows(older, newest)})`,
  );
  return `select o.place, merged.kind, merged.key, merged.facts, ${buildMomentColumns("merged.at")}
            from jsonb_to_recordset($1::jsonb) as o(place int, id uuid, micros bigint, key text)
           cross join lateral (
             select * from (${branches.join(" union all ")}) branches
              order by at desc, key collate "C" desc limit $2::int
           ) merged
           order by o.place, merged.at desc, merged.key collate "C" desc`;
}
