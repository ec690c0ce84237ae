import { expect, test } from "vitest";
import { createMovableClock, DAY, MINUTE, getRealNow, SECOND } from "#api/platform/clock.ts";

const right = Date.parse("2026-03-01T00:00:00Z");

/** Creates a clock on a simulated machine with a settable wall clock. */
function machine(skewMs = 0) {
  const state = { elapsedMs: 0, skewMs };
  const clock = createMovableClock(0, {
    wallMs: () => right + state.elapsedMs + state.skewMs,
    monotonicMs: () => state.elapsedMs,
  });
  const compare = () => clock.compare({ databaseMs: right + state.elapsedMs, sentAtMs: state.elapsedMs });
  return { state, clock, compare };
}

test("returns the machine's time before the first comparison, and the database's time after it", () => {
  const { clock, compare, state } = machine(900 * DAY);
  expect([clock.now().getTime(), clock.skewMs()]).toEqual([right + 900 * DAY, null]);
  expect(compare()).toBe(900 * DAY);
  state.elapsedMs = MINUTE;
  expect(clock.now().getTime()).toBe(right + MINUTE);
  expect(clock.skewMs()).toBe(900 * DAY);
});

test("doesn't correct a skew of two seconds, or one smaller than the statement's duration", () => {
  const late = machine(2 * SECOND);
  late.compare();
  expect(late.clock.now().getTime()).toBe(right + 2 * SECOND);
  const { clock, state } = machine();
  state.elapsedMs = 10 * SECOND;
  clock.compare({ databaseMs: right + 10 * SECOND, sentAtMs: 0 });
  expect(clock.now().getTime()).toBe(right + 10 * SECOND);
});

test.each([900 * DAY, -900 * DAY])("ignores a wall clock that jumps by %i ms between two comparisons", (jump) => {
  const { clock, compare, state } = machine();
  compare();
  state.skewMs = jump;
  state.elapsedMs = 5 * SECOND;
  expect(clock.now().getTime()).toBe(right + 5 * SECOND);
  expect(clock.skewMs()).toBe(jump);
  compare();
  expect(clock.now().getTime()).toBe(right + 5 * SECOND);
});

test("adds only the development offset to the real time", () => {
  const { clock, compare } = machine(900 * DAY);
  compare();
  clock.setOffset(DAY);
  expect(clock.now().getTime()).toBe(right + DAY);
  expect(getRealNow(clock).getTime()).toBe(right);
});
