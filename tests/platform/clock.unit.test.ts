import { expect, test } from "vitest";
import { createMovableClock, DAY, HOUR, MINUTE, realNow, SECOND } from "#api/platform/clock.ts";

const right = Date.parse("2026-03-01T00:00:00Z");

/** A machine whose wall clock is set at will. */
function machine(skewMs = 0) {
  const state = { elapsedMs: 0, skewMs };
  const clock = createMovableClock(0, {
    wallMs: () => right + state.elapsedMs + state.skewMs,
    monotonicMs: () => state.elapsedMs,
  });
  const compare = () => clock.compare({ databaseMs: right + state.elapsedMs, sentAtMs: state.elapsedMs });
  return { state, clock, compare };
}

test("shows the machine's time before the first comparison", () => {
  const { clock } = machine(HOUR);
  expect(clock.now().getTime()).toBe(right + HOUR);
  expect(clock.skewMs()).toBeNull();
});

test("shows the database's time once it was compared", () => {
  const { clock, compare, state } = machine(900 * DAY);
  expect(compare()).toBe(900 * DAY);
  state.elapsedMs = MINUTE;
  expect(clock.now().getTime()).toBe(right + MINUTE);
  expect(clock.skewMs()).toBe(900 * DAY);
});

test("leaves a skew of two seconds alone", () => {
  const { clock, compare } = machine(2 * SECOND);
  compare();
  expect(clock.now().getTime()).toBe(right + 2 * SECOND);
});

test("leaves a skew alone that the time of the statement explains", () => {
  const { clock, state } = machine();
  state.elapsedMs = 10 * SECOND;
  clock.compare({ databaseMs: right + 10 * SECOND, sentAtMs: 0 });
  expect(clock.now().getTime()).toBe(right + 10 * SECOND);
});

test.each([900 * DAY, -900 * DAY])(
  "does not follow a wall clock that is set %i ms off between two comparisons",
  (jump) => {
    const { clock, compare, state } = machine();
    compare();
    state.skewMs = jump;
    state.elapsedMs = 5 * SECOND;
    expect(clock.now().getTime()).toBe(right + 5 * SECOND);
    expect(clock.skewMs()).toBe(jump);
    compare();
    expect(clock.now().getTime()).toBe(right + 5 * SECOND);
  },
);

test("moves ahead of the real time by the development offset alone", () => {
  const { clock, compare } = machine(900 * DAY);
  compare();
  clock.setOffset(DAY);
  expect(clock.now().getTime()).toBe(right + DAY);
  expect(realNow(clock).getTime()).toBe(right);
});
