/**
 * Number of rounds in a race, by its number of concurrent requests. Without a lock, many requests exceed a limit in almost
 * every round, but two requests do so only in some, so small races need more rounds. Two processes have about 20 database
 * connections, so 200 requests run no more concurrently than 50 do. The others wait and test the queue, for which one round
 * is enough.
 */
export const ROUNDS = { of2: 30, of10: 8, of20: 6, of50: 3, of200: 1 } as const;

/** Races, each with the number of concurrent requests, available devices or seats, and rounds. */
export const crowds: readonly [requests: number, limit: number, rounds: number][] = [
  [2, 1, ROUNDS.of2],
  [10, 1, ROUNDS.of10],
  [50, 1, ROUNDS.of50],
  [200, 1, ROUNDS.of200],
  // Two requests for five devices compete only for the licence's lock.
  [2, 5, ROUNDS.of10],
  [10, 5, ROUNDS.of10],
  [50, 5, ROUNDS.of50],
  [200, 5, ROUNDS.of200],
];
