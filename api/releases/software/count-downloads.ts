import type { Services } from "#api/platform/context.ts";
import type { SoftwareDownloadKind } from "./software-download.entity.ts";

/** Counts downloads without any of them waiting for it. */
export interface DownloadCounts {
  /** Counts one, of today. */
  add(buildId: string, kind: SoftwareDownloadKind): void;
  /** Writes what was counted since the last time. What can't be written is kept for the next. */
  flush(): Promise<void>;
}

const FLUSH_MS = 1_000;
/** Until it is tried again. */
const RETRY_MS = 5_000;

/**
 * Gathers downloads in memory and writes them once a second in one statement, so that a hundred at once change each row
 * once. A process that is killed outright loses its last second of them; nothing else depends on the counts.
 */
export function createDownloadCounts({ pool, clock, log }: Pick<Services, "pool" | "clock" | "log">): DownloadCounts {
  let counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const plan = (ms: number): void => {
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
    const writing = counts;
    counts = new Map();
    // In one order everywhere: two processes that write the same rows wait for each other and never both.
    const entries = [...writing].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const parts = entries.map(([key]) => key.split(" "));
    try {
      await pool.query(
        `insert into software_downloads as d (build_id, day, kind, count)
         select build_id, day, kind, count
           from unnest($1::uuid[], $2::date[], $3::text[], $4::int[]) as counted (build_id, day, kind, count)
          where exists (select from software_builds where id = build_id)
          order by build_id, day, kind
             on conflict (build_id, day, kind) do update set count = d.count + excluded.count`,
        [...[0, 1, 2].map((index) => parts.map((part) => part[index])), entries.map(([, count]) => count)],
      );
    } catch (error) {
      log.warn({ err: error }, "downloads could not be counted yet");
      for (const [key, count] of writing) add(key, count);
      plan(RETRY_MS);
    }
  }

  return {
    add(buildId, kind) {
      add(`${buildId} ${clock.now().toISOString().slice(0, 10)} ${kind}`, 1);
      plan(FLUSH_MS);
    },
    flush,
  };
}
