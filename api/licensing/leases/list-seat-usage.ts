import type { SeatUsagePage, SeatUsage } from "./lease.resolver.ts";
import { LicenceActivationType, type SeatUsageValues } from "#schema/licence.ts";
import { ResultCode } from "#schema/result-code.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { escapeLike, query } from "#api/platform/database/database.ts";
import { isActiveLicenceSql } from "#api/licensing/licences/licence-status.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { buildCountedPage, type PageOf, type RowRange } from "#api/platform/graphql/page.ts";

/**
 * Period that denied requests are shown for, in milliseconds. It is long enough to see whether a licence has too few
 * seats.
 */
export const DENIALS_SINCE_MS = 7 * DAY;

/** Results of requests that were denied because no seat was available, or that lost their seat to another device. */
export const denials: readonly number[] = [ResultCode.NO_SEATS_AVAILABLE, ResultCode.LEASE_EXPIRED];

const { Concurrent, FloatingWithPeriod } = LicenceActivationType;

const sql = `
  with usage as materialized (
    select l.id, l.number_of_users as seats, l.created_at,
           (select count(*)::int from leases s
             where s.licence_id = l.id and s.ended_at is null and s.expires_at > $1) as in_use
      from licences l
      join users u on u.id = l.user_id
     where l.licence_activation_type in (${FloatingWithPeriod}, ${Concurrent})
       and ${isActiveLicenceSql("$1::timestamptz")}
       and ($2::text is null or u.company_name ilike $2 or u.first_name || ' ' || u.last_name ilike $2
            or u.email ilike $2 or l.support_code ilike $2)
  ), listed as (select * from usage where not $3::boolean or in_use >= seats)
  select t.*, p.id, p.in_use as "seatsInUse", p.denials
    from (select count(*)::int as total, coalesce(sum(seats), 0)::int as seats, coalesce(sum(in_use), 0)::int as "allInUse"
            from listed) t
    left join lateral (
      select o.id, o.in_use, o.created_at, o.seats,
             (select count(*)::int from licence_events e
               where e.licence_id = o.id and e.at > $6 and e.result_code <> ${ResultCode.VALID}
                 and e.result_code in (${denials.join(", ")})) as denials
        from (select * from listed order by in_use::float8 / seats desc, created_at desc, id desc
               offset $4 limit $5) o
    ) p on true
   order by p.in_use::float8 / p.seats desc, p.created_at desc, p.id desc`;

interface SqlRow {
  readonly total: number;
  readonly seats: number;
  readonly allInUse: number;
  readonly id: string | null;
  readonly seatsInUse: number;
  readonly denials: number;
}

/**
 * Lists the active licences with seats, the fullest first, with the seats in use now and the requests denied in the last
 * seven days. `search` finds part of the customer's name, company or email, or of the support code.
 */
export async function listSeatUsage(context: Context, values: SeatUsageValues & RowRange): Promise<SeatUsagePage> {
  const { search, onlyFull, offset, limit } = values;
  const now = context.clock.now();
  const found = await query<SqlRow>(context.em, sql, [
    now,
    search ? `%${escapeLike(search)}%` : null,
    onlyFull,
    offset,
    limit,
    addMilliseconds(now, -DENIALS_SINCE_MS),
  ]);
  const ids = found.flatMap(({ id }) => id ?? []);
  const licences = new Map(
    (await context.em.find(Licence, { id: { $in: ids } })).map((licence) => [licence.id, licence]),
  );
  const [first] = found;
  const rows = found.flatMap(({ id, seatsInUse, denials: count }) => {
    const licence = id === null ? undefined : licences.get(id);
    return licence ? [{ licence, seatsInUse, denials: count }] : [];
  });
  return {
    ...buildCountedPage(rows, { offset, total: first?.total ?? 0 }),
    seats: first?.seats ?? 0,
    seatsInUse: first?.allInUse ?? 0,
  };
}
