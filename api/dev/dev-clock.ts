import { boolean, number, object } from "yup";
import type { MovableClock } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";

/** Body of `POST /dev/clock`: one of the two. */
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

/** How far ahead the clock may be: beyond it, dates would no longer have four digits of a year for long. */
const FARTHEST_MS = 100 * 365 * 86_400_000;

/** How often a process looks whether another one moved the clock. */
const LOOK_MS = 500;

const SETTING = "clock";

interface StoredClock {
  readonly offsetMs: number;
  /** Counts the moves, so that an answer that comes late never puts the clock back. */
  readonly move: number;
}

/** The application's clock as a developer or a test moves it; all processes on the database share it. */
export interface DevClock {
  /** Takes over how the clock was left. */
  load(): Promise<void>;
  /** Moves the clock on, or back to the machine's time; moves at the same moment add up. */
  move(to: { advanceSeconds: number } | { reset: true }): Promise<Date>;
  /** Follows moves of other processes until the answer is called. */
  follow(): () => void;
}

/** Makes the movable clock of the services follow the table `settings`. */
export function createDevClock({ clock, pool }: Pick<Services, "clock" | "pool">): DevClock {
  const movable = clock as MovableClock;
  let seen = 0;
  const apply = (stored: StoredClock | undefined): void => {
    if (!stored || stored.move <= seen) return;
    seen = stored.move;
    movable.setOffset(stored.offsetMs);
  };
  const load = async (): Promise<void> => {
    const { rows } = await pool.query<{ value: StoredClock }>({
      name: "dev-clock",
      text: "select value from settings where name = $1",
      values: [SETTING],
    });
    apply(rows[0]?.value);
  };

  return {
    load,
    async move(to) {
      const keep = "advanceSeconds" in to ? 1 : 0;
      const addMs = "advanceSeconds" in to ? Math.round(to.advanceSeconds * 1_000) : 0;
      if (addMs > FARTHEST_MS) throw tooFar();
      // One statement, so that of two moves at once neither is lost.
      const { rows } = await pool.query<{ value: StoredClock }>(
        `insert into settings (name, value) values ($1, jsonb_build_object('offsetMs', $2::float8, 'move', 1))
         on conflict (name) do update set value = jsonb_build_object(
           'offsetMs', (settings.value->>'offsetMs')::float8 * $3 + $2,
           'move', (settings.value->>'move')::int + 1)
         where (settings.value->>'offsetMs')::float8 * $3 + $2 <= $4
         returning value`,
        [SETTING, addMs, keep, FARTHEST_MS],
      );
      if (rows.length === 0) throw tooFar();
      apply(rows[0]?.value);
      return clock.now();
    },
    follow() {
      // The database may be away; the next look will tell.
      const timer = setInterval(() => void load().catch(() => {}), LOOK_MS).unref();
      return () => clearInterval(timer);
    },
  };
}

function tooFar() {
  return badInput({ advanceSeconds: ["The clock can be at most 100 years ahead."] });
}
