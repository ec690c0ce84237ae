import { writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { addBuild } from "#api/releases/software/add-build.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { openDatabase } from "#api/app/database.ts";
import type { DatabaseAddress } from "#api/platform/database.ts";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";

/**
 * A process that adds version 7.3.0 in the database and folder given (as JSON) and never gets past a point:
 * `stored`, when the file is there and the row is not, or `storing`, when half the file is. Prints the point.
 */
const { database, dataDir, point } = JSON.parse(process.argv[2] ?? "") as {
  database: DatabaseAddress;
  dataDir: string;
  point: "storing" | "stored";
};

const never = () => {
  writeSync(1, `${point}\n`);
  return new Promise<never>(() => {});
};

async function* halfOfIt() {
  yield "half of ";
  if (point === "storing") await never();
  yield "an installer";
}

const orm = await openDatabase(database);
const files = createDiskFiles(join(dataDir, "files"), createMovableClock());
const context = {
  em: orm.em.fork(),
  clock: createMovableClock(),
  files: {
    ...files,
    async put(key: string, content: Readable) {
      const stored = await files.put(key, content);
      return point === "stored" ? never() : stored;
    },
  },
} as unknown as Context;
// A wait for ever alone would let the process end by itself.
setInterval(() => {}, 1_000);
await addBuild(context, { stage: 4, version: "7.3.0", fileName: "Setup.exe" }, async () => Readable.from(halfOfIt()));
