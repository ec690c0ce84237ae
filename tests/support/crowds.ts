/**
 * How often a race of so many is run. A limit without its lock is broken in nearly every round of many, and in one of a few
 * rounds of two: the fewer meet, the more rounds. Two processes have some 20 connections to the database: of 200 no more are
 * at it together than of 50, the others queue, and each round proves 200 times that a long queue changes nothing.
 */
export const ROUNDS = { of2: 30, of10: 12, of20: 10, of50: 5, of200: 3 } as const;

/** How many meet, for how many places, and in how many rounds. */
export const crowds: readonly [many: number, places: number, rounds: number][] = [
  [2, 1, ROUNDS.of2],
  [10, 1, ROUNDS.of10],
  [50, 1, ROUNDS.of50],
  [200, 1, ROUNDS.of200],
  // Two that take two of five places are no race for a place, only for the licence.
  [2, 5, ROUNDS.of10],
  [10, 5, ROUNDS.of10],
  [50, 5, ROUNDS.of50],
  [200, 5, ROUNDS.of200],
];
