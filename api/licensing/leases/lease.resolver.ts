import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root, Args, Query } from "type-graphql";
import type { Context } from "#api/platform/context.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { Lease } from "./lease.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { listLicenceEvents } from "#api/licensing/licences/list-licence-events.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { seatUsageRules, type SeatUsageValues } from "#schema/licence.ts";
import { Allow, createPage, createType, field, Scope } from "#api/platform/graphql/declare.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { createPageCost, PageArgs, toRowRange, buildCountedPage, type RowRange } from "#api/platform/graphql/page.ts";
import { ResultCode } from "#schema/result-code.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { getRow, inTransaction, query, toSearchPattern } from "#api/platform/database/database.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { parseSupportCode } from "#api/licensing/licences/licence-code.ts";
import { lockUserLicence } from "#api/licensing/licences/lock-licences.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { isLeasedSql } from "./lease-terms.ts";
import { endLeaseSql } from "./release-lease.ts";
import { isActiveLicenceSql } from "#api/licensing/licences/licence-status.ts";

const loadRunningLeases = createRelationLoader<Lease, Pick<Context, "em" | "clock">>({
  entity: Lease,
  of: "licence",
  where: ({ clock }) => ({ endedAt: null, expiresAt: { $gt: clock.now() } }),
  populate: ["device"],
  orderBy: { startedAt: "asc", id: "asc" },
});

const MOST_DENIALS = 20;

// One timestamp per unit of work, so that the seats of a list of licences are loaded in one statement.
const moments = new WeakMap<object, Date>();

/**
 * Returns requests for a seat that were denied because none was available, and leases lost to another device, newest
 * first.
 */
async function listSeatDenials(context: Context, licenceId: string): Promise<LicenceEvent[]> {
  const since = moments.get(context.em) ?? addMilliseconds(context.clock.now(), -DENIALS_SINCE_MS);
  moments.set(context.em, since);
  const { rows } = await listLicenceEvents(context, "licence", licenceId, {
    first: MOST_DENIALS,
    resultCodes: [...denials],
    since,
  });
  return rows;
}

@Resolver(() => Lease)
export class LeaseResolver {
  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => Device, { description: "The device that uses the seat." })
  device(@Root() lease: Lease): Device {
    return lease.device;
  }

  @Allow("admin", { roles: ["support"], scope: "licences:write", harm: "others" })
  @Mutation(() => Licence, {
    description: "Releases a seat. Does nothing if the seat is already available. Returns the licence.",
  })
  async freeSeat(
    @Arg("leaseId", () => ID, { description: "The seat to release." }) leaseId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return releaseSeat(context, leaseId);
  }
}

@Resolver(() => Licence)
export class LicenceLeasesResolver {
  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => [Lease], { description: "Seats in use, oldest first." })
  async leases(@Root() licence: Licence, @Ctx() context: Context): Promise<Lease[]> {
    return loadRunningLeases(context, licence.id);
  }

  @Allow("signedIn", { scope: "licences:read" })
  @FieldResolver(() => [LicenceEvent], {
    description: "Requests denied for lack of a seat in the last seven days, newest first. At most 20.",
  })
  async seatDenials(@Root() licence: Licence, @Ctx() context: Context): Promise<LicenceEvent[]> {
    return listSeatDenials(context, licence.id);
  }
}

const SeatUsageFilter = createInput("SeatUsageFilter", seatUsageRules, {
  description: "Search of the list of seats.",
  fields: {
    search: "Beginnings of words in the customer's name, company or email, or in the support code.",
    onlyFull: "Return only licences with no seat available.",
  },
});

const SeatUsage = createType("SeatUsage", "admin", "The seats of one licence.", {
  licence: field.object(() => Licence, "The licence.", { access: Scope("licences:read") }),
  seatsInUse: field.integer("Seats in use now."),
  denials: field.integer("Requests denied for lack of a seat in the last seven days."),
});
type SeatUsage = InstanceType<typeof SeatUsage>;

const SeatUsagePage = createPage(
  "SeatUsagePage",
  "admin",
  "Active licences with seats, the fullest first, with totals of all that match the filter.",
  {
    rows: field.list(() => SeatUsage, "The licences of the page.", { access: Scope("licences:read") }),
    seats: field.integer("Seats of all these licences."),
    seatsInUse: field.integer("Seats in use on all these licences."),
  },
);
type SeatUsagePage = InstanceType<typeof SeatUsagePage>;

@Resolver()
export class SeatUsageResolver {
  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @Query(() => SeatUsagePage, {
    complexity: createPageCost(0, 100),
    description: "Lists active licences with seats and how many of the seats are in use.",
  })
  async seatUsage(
    @CheckedArg("filter", SeatUsageFilter, { defaultValue: {} }) filter: SeatUsageValues,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: Context,
  ): Promise<SeatUsagePage> {
    return listSeatUsage(context, { ...filter, ...toRowRange(page) });
  }
}

/**
 * Releases a seat on behalf of an admin. The next heartbeat of its session gets LEASE_NOT_FOUND, after which the add-in
 * may request a seat again. Does nothing if the lease has already ended or lapsed. A borrowed seat becomes available
 * immediately, but its device can continue to run until the end of the borrowing period it was granted.
 * @throws AppError NOT_FOUND for an unknown or malformed id.
 */
async function releaseSeat(context: Context, leaseId: string): Promise<Licence> {
  const found = await getRow(context.em, Lease, leaseId, { populate: ["licence"] });
  return inTransaction(context, async (em) => {
    const licence = await lockUserLicence(em, found.licence.user.id, found.licence.id);
    const now = context.clock.now();
    const [ended] = await query(
      em,
      `${endLeaseSql} where id = $1 and ended_at is null and expires_at > $2 returning id`,
      [leaseId, now, "admin"],
    );
    if (!ended) return licence;
    const lease = await em.findOneOrFail(Lease, leaseId, { populate: ["device"] });
    const { device, osUser } = lease;
    recordLicenceEvent(context, em, {
      kind: "free-seat",
      licenceId: licence.id,
      deviceId: device.id,
      machineName: device.machineName,
    });
    await recordChange(context, em, {
      action: "free-seat",
      subject: {
        type: "lease",
        id: lease.id,
        name: `${formatMachineName(device.machineName)} on ${licence.supportCode}`,
      },
      userId: licence.user.id,
      before: {
        osUser,
        startedAt: lease.startedAt.toISOString(),
        borrowedUntil: lease.borrowedUntil?.toISOString() ?? null,
      },
    });
    return licence;
  });
}

/**
 * Period that denied requests are shown for, in milliseconds. It is long enough to see whether a licence has too few
 * seats.
 */
const DENIALS_SINCE_MS = 7 * DAY;

/** Results of requests that were denied because no seat was available, or that lost their seat to another device. */
const denials: readonly number[] = [ResultCode.NO_SEATS_AVAILABLE, ResultCode.LEASE_EXPIRED];

const sql = `
  with usage as materialized (
    select l.id, l.number_of_users as seats, l.created_at,
           (select count(*)::int from leases s
             where s.licence_id = l.id and s.ended_at is null and s.expires_at > $1) as in_use
      from licences l
      join users u on u.id = l.user_id
     where ${isLeasedSql}
       and ${isActiveLicenceSql("$1::timestamptz")}
       and ($2::text is null or l.support_code = $7::text
            or concat_ws(' ', u.first_name, u.last_name, u.company_name, u.email, l.support_code) ~* $2)
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
 * seven days. `search` finds words in the customer's name, company or email, or the support code.
 */
async function listSeatUsage(context: Context, values: SeatUsageValues & RowRange): Promise<SeatUsagePage> {
  const { search, onlyFull, offset, limit } = values;
  const now = context.clock.now();
  const found = await query<SqlRow>(context.em, sql, [
    now,
    toSearchPattern(search),
    onlyFull,
    offset,
    limit,
    addMilliseconds(now, -DENIALS_SINCE_MS),
    search ? parseSupportCode(search) : null,
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
