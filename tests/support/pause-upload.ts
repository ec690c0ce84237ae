import { writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { withSpool } from "#api/releases/software/upload/spool.ts";
import { uploadSoftware } from "#api/releases/software/upload/upload-software.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { openDatabase } from "#api/app/database.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";
import { createClickOnceBuild } from "#tests/factories/click-once.ts";
import { getUploadedFiles } from "#tests/factories/software-upload.ts";

/**
 * Process that uploads version 7.3.0 to a database and data folder (as JSON), prints a point and stops there until tests
 * kill it. The point is `spooled` if all files are received, or `storing` if the first two are stored.
 */
const { database, dataDir, point } = JSON.parse(process.argv[2] ?? "") as {
  database: DatabaseAddress;
  dataDir: string;
  point: "spooled" | "storing";
};

const stopHere = () => {
  writeSync(1, `${point}\n`);
  return new Promise<never>(() => {});
};

const orm = await openDatabase(database);
const files = createDiskFiles(join(dataDir, "files"), createMovableClock());
let stored = 0;
const put = (key: string, content: Readable) => (++stored > 2 ? stopHere() : files.put(key, content));
const services = { clock: createMovableClock(), config: { dataDir }, files: { ...files, put } };
const context = { ...services, em: orm.em.fork(), actor: null } as unknown as Context;
// A pending promise alone doesn't keep the process alive.
setInterval(() => {}, 1_000);
const build = getUploadedFiles(await createClickOnceBuild("7.3.0"));
await withSpool(context, async (spool) => {
  for (const [field, { name, content }] of Object.entries(build))
    await spool.receive(field as keyof typeof build, name, Readable.from([content]));
  if (point === "spooled") await stopHere();
  await uploadSoftware(context, { softwareStage: 4 }, spool.files);
});
