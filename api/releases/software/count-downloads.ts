import type { Services } from "#api/platform/context.ts";
import type { SoftwareDownloadKind } from "./software-build.entity.ts";

/** Counts downloads without delaying them. */
export interface DownloadCounts {
  /** Adds one download to today's count. */
  add(buildId: string, kind: SoftwareDownloadKind): void;
  /** Writes the counts since the last flush. Counts that can't be written are kept for the next one. */
  flush(): Promise<void>;
}

const FLUSH_MS = 1_000;
/** Delay before a failed flush is retried, in milliseconds. */
const RETRY_MS = 5_000;

/**
 * Creates a counter that collects downloads in memory and writes them once a second in one statement. A killed process
 * loses the last second of counts, which is acceptable because nothing else depends on them.
 */
export function createDownloadCounts(services: Pick<Services, "pool" | "clock" | "log">): DownloadCounts {
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const scheduleFlush = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, ms).unref();
  };
  const add = (key: string, count: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + count);
  };

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const batch = counts;
    counts = new Map();
    // A fixed order of rows prevents deadlocks between processes.
    const entries = [...batch].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const parts = entries.map(([key]) => key.split(" "));
    try {
      await services.pool.query(
        `insert into software_downloads as d (build_id, day, kind, count)
         select build_id, day, kind, count
           from unnest($1::uuid[], $2::date[], $3::text[], $4::int[]) as counted (build_id, day, kind, count)
          where exists (select from software_builds where id = build_id)
          order by build_id, day, kind
             on conflict (build_id, day, kind) do update set count = d.count + excluded.count`,
        [...[0, 1, 2].map((index) => parts.map((part) => part[index])), entries.map(([, count]) => count)],
      );
    } catch (error) {
      services.log.warn({ err: error }, "could not write download counts, retrying");
      for (const [key, count] of batch) add(key, count);
      scheduleFlush(RETRY_MS);
    }
  }

  return {
    add(buildId, kind) {
      add(`${buildId} ${services.clock.now().toISOString().slice(0, 10)} ${kind}`, 1);
      scheduleFlush(FLUSH_MS);
    },
    flush,
  };
}
