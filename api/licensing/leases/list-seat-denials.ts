import { ResultCode } from "#schema/catalogue.ts";
import { after, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import type { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { eventsOf } from "#api/licensing/licences/list-licence-events.ts";

/** How far back and how many: enough to see whether a licence has too few seats. */
const SINCE_MS = 7 * DAY;
const MOST = 20;

// One moment a unit of work, so that a list of licences costs one statement.
const moments = new WeakMap<object, Date>();

/** Who asked for a seat of a licence and found none, or lost theirs to another, newest first. */
export async function seatDenialsOf(context: Context, licenceId: string): Promise<LicenceEvent[]> {
  const since = moments.get(context.em) ?? after(context.clock.now(), -SINCE_MS);
  moments.set(context.em, since);
  const { rows } = await eventsOf(context, "licence", licenceId, {
    first: MOST,
    resultCodes: [ResultCode.NO_SEATS_AVAILABLE, ResultCode.LEASE_EXPIRED],
    since,
  });
  return rows;
}
