import { folded } from "#schema/search-terms.ts";
import type { AuditChange } from "#api/staff/audit-log/audit.resolver.ts";
import { findPlanPrices } from "#api/selling/plans/find-plan-price.ts";
import type { Context } from "#api/platform/context.ts";
import { createLoader } from "#api/platform/loaders.ts";
import { badInput } from "#api/platform/errors.ts";
import { type KeysetPlace, momentColumns, momentOf, readCursor, writeCursor } from "#api/platform/keyset-cursor.ts";
import { type TimelineKind, type TimelineSource, timelineSources } from "./timeline-sources.ts";
import { type TimelineWords, wordsOf } from "./timeline-words.ts";

/** One thing that happened to a user's account, in words. */
export interface TimelineRow extends TimelineWords {
  readonly id: string;
  readonly kind: TimelineKind;
  readonly at: Date;
  readonly count: number;
  readonly changes: AuditChange[];
}

/** Which part of a timeline. */
export interface TimelineAsked {
  /** Rows at most, 1 to {@link MOST_TIMELINE_ROWS}. */
  readonly first: number;
  readonly after?: string | null | undefined;
  /** Only entries of these kinds; all when it is left out or empty. */
  readonly kinds?: readonly TimelineKind[] | null | undefined;
  /** Only entries whose words hold each of these; not looked for further back than {@link MOST_LOOKED_THROUGH}. */
  readonly search?: string | null | undefined;
}

/** A part of a timeline, newest first. */
export interface TimelineRows {
  readonly rows: TimelineRow[];
  readonly endCursor: string | null;
  readonly hasMore: boolean;
}

/** Entries one search reads of a user; what is older is read from its cursor on. */
const MOST_LOOKED_THROUGH = 1_000;

/** Longest search in characters, as everywhere. */
const MOST_SEARCHED = 200;

/** Entries in one answer. */
export const MOST_TIMELINE_ROWS = 100;

/**
 * Returns everything that happened to a user as one list, newest first: one statement over all tables, each read by its
 * index for no more rows than are wanted. Users requested in the same tick share that statement.
 * @throws AppError BAD_USER_INPUT for a count or cursor that cannot be.
 */
export async function timelineOf(context: Context, userId: string, asked: TimelineAsked): Promise<TimelineRows> {
  if ((asked.search?.length ?? 0) > MOST_SEARCHED) throw badInput({ search: [`At most ${MOST_SEARCHED} characters.`] });
  const terms = folded(asked.search ?? "")
    .split(/\s+/)
    .filter(Boolean);
  return terms.length > 0 ? searched(context, userId, asked, terms) : partOf(context, userId, asked);
}

/**
 * The entries' words are made here and stand in no table, so the newest are read part by part until enough match. The
 * cursor is that of the last that was looked at.
 */
async function searched(
  context: Context,
  userId: string,
  asked: TimelineAsked,
  terms: string[],
): Promise<TimelineRows> {
  const { first, kinds } = asked;
  if (!Number.isInteger(first) || first < 1 || first > MOST_TIMELINE_ROWS) return partOf(context, userId, asked);
  const rows: TimelineRow[] = [];
  let { after } = asked;
  for (let looked = 0; looked < MOST_LOOKED_THROUGH; looked += MOST_TIMELINE_ROWS) {
    const part = await partOf(context, userId, { first: MOST_TIMELINE_ROWS, after, kinds });
    for (const row of part.rows) {
      if (!holds(row, terms)) continue;
      if (rows.length === first)
        return { rows, endCursor: part.cursors.get(rows.at(-1)?.id ?? "") ?? after ?? null, hasMore: true };
      rows.push(row);
    }
    if (!part.hasMore) return { rows, endCursor: part.endCursor ?? after ?? null, hasMore: false };
    after = part.endCursor;
  }
  return { rows, endCursor: after ?? null, hasMore: true };
}

function holds({ title, subject, detail, actorName, supportCode, changes }: TimelineRow, terms: string[]): boolean {
  const values = changes.flatMap(({ field, before, after }) => [field, before, after]);
  const text = folded([title, subject, detail, actorName, supportCode, ...values].filter(Boolean).join(" "));
  return terms.every((term) => text.includes(term));
}

/** A part of a user's timeline with the cursor of each of its entries. */
interface Part extends TimelineRows {
  readonly cursors: ReadonlyMap<string, string>;
}

/** Where one user's part begins; null for the newest. */
interface PartWanted {
  readonly userId: string;
  readonly from: KeysetPlace | null;
}

async function partOf(context: Context, userId: string, { first, after, kinds }: TimelineAsked): Promise<Part> {
  if (!Number.isInteger(first) || first < 1 || first > MOST_TIMELINE_ROWS)
    throw badInput({ first: [`Please ask for 1 to ${MOST_TIMELINE_ROWS} rows.`] });
  const from = after ? readCursor(after, /^[a-z]+:[\w-]+$/) : null;
  return partOfUser(context, { userId, from }, { first, isContinued: from !== null, kinds: kinds?.toSorted() ?? [] });
}

const partOfUser = createLoader(
  async (
    context: Context,
    wanted: readonly PartWanted[],
    { first, isContinued, kinds }: { first: number; isContinued: boolean; kinds: readonly TimelineKind[] },
  ): Promise<Part[]> => {
    type Row = { place: number; kind: TimelineKind; key: string; facts: never; atMs: number; atMicros: string };
    const sources = kinds.length > 0 ? timelineSources.filter(({ kind }) => kinds.includes(kind)) : timelineSources;
    const { rows } = await context.pool.query<Row>({
      // Only the statement over all kinds is worth preparing: there are too many combinations of kinds.
      ...(sources === timelineSources ? { name: `timeline${isContinued ? "-after" : ""}` } : {}),
      text: statement(sources, isContinued),
      values: [JSON.stringify(wanted.map(({ userId, from }, place) => ({ place, id: userId, ...from }))), first + 1],
    });
    const planPrices = await findPlanPrices(
      context.em,
      rows.filter(({ kind }) => kind === "SUBSCRIPTION").map(({ facts }) => (facts as { planPrice: string }).planPrice),
    );
    const byPlace = wanted.map((): Row[] => []);
    for (const row of rows) byPlace[row.place]?.push(row);
    return byPlace.map((found) => {
      const shown = found.slice(0, first);
      const cursors = new Map(shown.map(({ key, atMicros }) => [key, writeCursor({ micros: atMicros, key })]));
      return {
        rows: shown.map(({ kind, key, facts, atMs }) => ({
          id: key,
          kind,
          at: new Date(atMs),
          count: 1,
          changes: [],
          ...wordsOf(kind, facts, planPrices),
        })),
        endCursor: cursors.get(shown.at(-1)?.key ?? "") ?? null,
        hasMore: found.length > first,
        cursors,
      };
    });
  },
);

/** From jsonb, because its estimated size is always the same, so that PostgreSQL keeps one plan for any number of users. */
function statement(sources: readonly TimelineSource[], isContinued: boolean): string {
  const moment = momentOf("o.micros");
  // The first condition is the index's, the second orders within the moment.
  const older = (at: string, key: string) =>
    isContinued ? `and ${at} <= ${moment} and (${at}, (${key}) collate "C") < (${moment}, o.key)` : "";
  const newest = (at: string, key: string) =>
    `order by ${at} desc, ${key === "e.id" ? key : `(${key}) collate "C"`} desc limit $2::int`;
  const branches = sources.map(
    ({ kind, columns: { at, key, facts }, rows }) =>
      `(select '${kind}' as kind, ${at} as at, ${key} as key, ${facts} as facts from ${rows(older, newest)})`,
  );
  return `select o.place, merged.kind, merged.key, merged.facts, ${momentColumns("merged.at")}
            from jsonb_to_recordset($1::jsonb) as o(place int, id uuid, micros bigint, key text)
           cross join lateral (
             select * from (${branches.join(" union all ")}) branches
              order by at desc, key collate "C" desc limit $2::int
           ) merged
           order by o.place, merged.at desc, merged.key collate "C" desc`;
}
