import type { AnyObject } from "./billing-objects.ts";
import { INCOMPLETE_SECONDS } from "./moments.ts";

/** When time alone will change the object next, in seconds since 1970; null when never. */
export function dueAt(object: AnyObject): number | null {
  if (object.deleted) return null;
  if (object.object === "subscription") {
    if (object.status === "incomplete") return object.created + INCOMPLETE_SECONDS;
    if (object.status !== "active" && object.status !== "past_due") return null;
    const end = object.items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY;
    return Math.min(end, object.pending_update?.expires_at ?? end);
  }
  if (object.object === "subscription_schedule")
    return object.status === "active" ? (object.current_phase?.end_date ?? null) : null;
  if (object.object === "invoice") return object.status === "open" ? object.next_payment_attempt : null;
  return object.object === "charge" ? object.sim.disputeAt : null;
}

/** The test clock that the object's time follows. */
export function clockOf(object: AnyObject): string | null {
  if ("test_clock" in object) return object.test_clock;
  return object.object === "charge" ? object.sim.clock : null;
}
