/**
 * `npm test` runs a race just often enough to fail without its lock. The campaign of `npm run test:all` runs ten times as
 * many rounds, which finds rare orders of events.
 */
const isCampaign = process.env.RACE_CAMPAIGN !== undefined;
const times = isCampaign ? 10 : 1;

/**
 * Number of rounds in a race, by its number of concurrent requests. Without a lock, many requests exceed a limit in almost
 * every round, but two requests do so only in some, so small races need more rounds. Two processes have about 20 database
 * connections, so 200 requests run no more concurrently than 50 do. The others wait and test the queue, for which one round
 * is enough.
 */
export const ROUNDS = { of2: 5 * times, of5: 2 * times, of10: times, of20: times, of50: times, of200: 1 } as const;

/** Concurrent requests of which each is as expensive as a payment. */
export const FEW = isCampaign ? 20 : 8;

/** Races, each with the number of concurrent requests, available devices or seats, and rounds. */
export const crowds: readonly (readonly [requests: number, limit: number, rounds: number])[] = [
  [2, 1, ROUNDS.of2],
  [10, 1, ROUNDS.of10],
  [50, 1, ROUNDS.of50],
  // Two requests for five devices compete only for the licence's lock.
  [2, 5, ROUNDS.of10],
  [50, 5, ROUNDS.of50],
  ...(isCampaign
    ? ([
        [200, 1, ROUNDS.of200],
        [10, 5, ROUNDS.of10],
        [200, 5, ROUNDS.of200],
      ] as const)
    : []),
];

/** Starts `work` `count` times at once. Returns the results in order. */
export const atOnce = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Returns the statuses in ascending order, because any of the concurrent requests may win. */
export const sortStatuses = (answers: readonly { readonly status: number }[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);
