import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { afterAll } from "vitest";
import type { BucketSettings } from "#api/platform/files/bucket-settings.ts";

/** A local S3 server with one bucket, `builds`. */
export interface TestBucket {
  readonly port: number;
  readonly settings: BucketSettings;
  /** Every file that the server keeps, also parts of what is being stored. */
  onDisk(): string[];
  /** Answers everything with this status from now on; null: as it should. */
  answerWith(status: number | null): void;
  /** Makes what a key holds two days older. */
  makeOld(key: string): void;
}

/** Starts the server for this test file and stops it afterwards. */
export async function startTestBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), "bucket-"));
  const configureBuckets = [{ name: "builds", configs: [] }];
  const server = new S3rver({ address: "127.0.0.1", port: 0, directory, silent: true, configureBuckets });
  let given: number | null = null;
  server.middleware.unshift(async (context, next) => {
    if (given === null) return next();
    context.status = given;
  });
  // What every other S3 server does and this one does not: AbortMultipartUpload.
  server.middleware.unshift(async (context, next) => {
    const { uploadId } = context.query;
    if (context.method !== "DELETE" || !uploadId) return next();
    for (const folder of readdirSync(directory, { recursive: true, withFileTypes: true }))
      if (folder.isDirectory() && folder.name === uploadId)
        rmSync(join(folder.parentPath, folder.name), { recursive: true });
    context.status = 204;
  });
  const { port } = await server.run();
  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const contents = () =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return {
    port,
    settings: {
      bucket: "builds",
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${port}`,
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    },
    onDisk: () => contents().filter((path) => path.endsWith("_object") || /upload/.test(path)),
    answerWith(status) {
      given = status;
    },
    makeOld(key) {
      const daysAgo = performance.timeOrigin / 1_000 - 2 * 86_400;
      for (const path of contents())
        if (path.includes(join("builds", ...key.split("/")))) utimesSync(path, daysAgo, daysAgo);
    },
  };
}
