import { join } from "node:path";
import type { Logger } from "pino";
import { type Clock, createClock } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { createLog } from "#api/platform/observe/log.ts";
import { createBucketFiles } from "./bucket-files.ts";
import { createDiskFiles } from "./disk-files.ts";
import type { Files } from "./files.ts";

/** Opens the file storage of the settings. Commands, whose output contains only the result, don't log. */
export function openFiles(
  { bucket, dataDir }: Pick<Config, "bucket" | "dataDir">,
  { log, clock }: { log: Logger; clock: Clock } = { log: createLog({ logLevel: "silent" }), clock: createClock() },
): Files {
  return bucket ? createBucketFiles(bucket, log) : createDiskFiles(join(dataDir, "files"), clock);
}
