import { join } from "node:path";
import { BUILDS_KEY } from "#api/releases/software/add-build.ts";
import { BULK_UPLOADS_PREFIX } from "#api/staff/bulk/process-bulk-run.ts";
import { REPORTS_PREFIX } from "#api/staff/saved-reports/write-due-report.ts";
import { createClock } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { createBucketFiles } from "#api/platform/files/bucket-files.ts";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";
import type { Files } from "#api/platform/files/files.ts";
import { createLog } from "#api/platform/observe/log.ts";

/** First segments of the keys of all stored files. */
export const storedFilePrefixes: readonly string[] = [BUILDS_KEY, BULK_UPLOADS_PREFIX, REPORTS_PREFIX];

/** Opens the file storage of the settings. */
export function openFiles({ bucket, dataDir }: Config): Files {
  return bucket
    ? createBucketFiles(bucket, createLog({ logLevel: "silent" }))
    : createDiskFiles(join(dataDir, "files"), createClock());
}
