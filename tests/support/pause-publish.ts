import { readdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { addBuild } from "#api/releases/software/add-build.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { openDatabase } from "#api/app/database.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { createDiskFiles } from "#api/platform/files/disk-files.ts";

/**
 * Process that adds version 7.3.0 to a database and data folder (as JSON), prints a point and stops there until tests kill
 * it. The point is `storing` if half of the file is stored, or `stored` if the file is stored but its row isn't.
 */
const { database, dataDir, point } = JSON.parse(process.argv[2] ?? "") as {
  database: DatabaseAddress;
  dataDir: string;
  point: "storing" | "stored";
};

const stopHere = () => {
  writeSync(1, `${point}\n`);
  return new Promise<never>(() => {});
};

const countParts = () =>
  readdirSync(join(dataDir, "files"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".part"))
    .length;

// Count the parts before the upload starts, because its file may exist before its first chunk is read.
const partsBefore = countParts();

async function* readInstaller() {
  yield "half of ";
  if (point === "storing") {
    // The stream reads ahead, so the file may not exist yet.
    while (countParts() === partsBefore) await sleep(5);
    await stopHere();
  }
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
      return point === "stored" ? stopHere() : stored;
    },
  },
} as unknown as Context;
// A pending promise alone doesn't keep the process alive.
setInterval(() => {}, 1_000);
await addBuild(context, { stage: 4, version: "7.3.0", fileName: "Setup.exe" }, async () =>
  Readable.from(readInstaller()),
);
