import { boolean, number, object } from "yup";
import { type Clock, DAY, type MovableClock } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";

/** Validates the body of `POST /dev/clock`, which has exactly one of the two fields. */
export const moveClockRules = object({
  advanceSeconds: number()
    .strict()
    .typeError("Must be a number of seconds.")
    .min(0, "The clock never goes back; reset it instead."),
  reset: boolean().strict().typeError("Must be true.").oneOf([true, undefined], "Must be true."),
}).test("one-of", function oneOf({ advanceSeconds, reset }) {
  if ((advanceSeconds === undefined) !== (reset === undefined)) return true;
  return this.createError({ path: "advanceSeconds", message: "Send either advanceSeconds or reset." });
});

/** Largest offset of the clock. The limit keeps years at four digits. */
const MAX_OFFSET_MS = 100 * 365 * DAY;

/** Interval at which a process checks whether another one moved the clock. */
const POLL_MS = 500;

const SETTING = "clock";

interface StoredClock {
  readonly offsetMs: number;
  /** Number of moves so far. It prevents a late query result from setting the clock back. */
  readonly move: number;
}

/** Moves the application's clock for a developer or a test. All processes on the database share the offset. */
export interface DevClock {
  /** Applies the stored offset. */
  load(): Promise<void>;
  /** Moves the clock forward, or resets it to the machine's time. Concurrent moves add up. */
  move(to: { advanceSeconds: number } | { reset: true }): Promise<Date>;
  /** Applies clock moves by other processes until the returned function is called. */
  follow(): () => void;
}

/** Returns controls for the services' movable clock, whose offset is stored in the table `settings`. */
export function createDevClock(services: Pick<Services, "clock" | "pool">): DevClock {
  const lastMoves = new WeakMap<Clock, number>();
  const apply = (clock: Clock, stored: StoredClock | undefined): void => {
    if (!stored || stored.move <= (lastMoves.get(clock) ?? 0)) return;
    lastMoves.set(clock, stored.move);
    (clock as MovableClock).setOffset(stored.offsetMs);
  };
  const load = async (): Promise<void> => {
    const { clock, pool } = services;
    const { rows } = await pool.query<{ value: StoredClock }>({
      name: "dev-clock",
      text: "select value from settings where name = $1",
      values: [SETTING],
    });
    apply(clock, rows[0]?.value);
  };

  return {
    load,
    async move(to) {
      const { clock, pool } = services;
      const keepOffset = "advanceSeconds" in to ? 1 : 0;
      const addMs = "advanceSeconds" in to ? Math.round(to.advanceSeconds * 1_000) : 0;
      if (addMs > MAX_OFFSET_MS) throw createTooFarError();
      // Uses a single statement, so that concurrent moves aren't lost.
      const { rows } = await pool.query<{ value: StoredClock }>(
        `insert into settings (name, value) values ($1, jsonb_build_object('offsetMs', $2::float8, 'move', 1))
         on conflict (name) do update set value = jsonb_build_object(
           'offsetMs', (settings.value->>'offsetMs')::float8 * $3 + $2,
           'move', (settings.value->>'move')::int + 1)
         where (settings.value->>'offsetMs')::float8 * $3 + $2 <= $4
         returning value`,
        [SETTING, addMs, keepOffset, MAX_OFFSET_MS],
      );
      if (rows.length === 0) throw createTooFarError();
      apply(clock, rows[0]?.value);
      return clock.now();
    },
    follow() {
      // If the database is unavailable, the next poll catches up.
      const timer = setInterval(() => void load().catch(() => {}), POLL_MS).unref();
      return () => clearInterval(timer);
    },
  };
}

function createTooFarError() {
  return badInput({ advanceSeconds: ["The clock can be at most 100 years ahead."] });
}
