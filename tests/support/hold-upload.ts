import { writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { withSpool } from "#api/releases/software/upload/spool.ts";
import { uploadSoftware } from "#api/releases/software/upload/upload-software.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { openDatabase } from "#api/app/database.ts";
import type { DatabaseAddress } from "#api/platform/database.ts";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";
import { clickOnceBuild } from "#tests/factories/click-once.ts";
import { filesOf } from "#tests/factories/software-upload.ts";

/**
 * A process that uploads version 7.3.0 in the database and folder given (as JSON) and never gets past a point: `spooled`,
 * when its files have arrived, or `storing`, when the first two are stored and the rest is not. Prints the point.
 */
const { database, dataDir, point } = JSON.parse(process.argv[2] ?? "") as {
  database: DatabaseAddress;
  dataDir: string;
  point: "spooled" | "storing";
};

const never = () => {
  writeSync(1, `${point}\n`);
  return new Promise<never>(() => {});
};

const orm = await openDatabase(database);
const files = createDiskFiles(join(dataDir, "files"), createMovableClock());
let stored = 0;
const context = {
  em: orm.em.fork(),
  clock: createMovableClock(),
  config: { dataDir },
  actor: null,
  files: {
    ...files,
    put: (key: string, content: Readable) => (++stored > 2 ? never() : files.put(key, content)),
  },
} as unknown as Context;
// A wait for ever alone would let the process end by itself.
setInterval(() => {}, 1_000);
const build = filesOf(await clickOnceBuild("7.3.0"));
await withSpool(context, async (spool) => {
  for (const [field, { name, content }] of Object.entries(build))
    await spool.receive(field as keyof typeof build, name, Readable.from([content]));
  if (point === "spooled") await never();
  await uploadSoftware(context, { softwareStage: 4 }, spool.files);
});
