import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { whenDone } from "./when-done.ts";

/** Starts a local S3 server with one bucket, `builds`, for this test file and stops it afterwards. */
export async function startTestBucket() {
  const directory = mkdtempSync(join(tmpdir(), "bucket-"));
  const configureBuckets = [{ name: "builds", configs: [] }];
  const server = new S3rver({ address: "127.0.0.1", port: 0, directory, silent: true, configureBuckets });
  let forcedStatus: number | null = null;
  server.middleware.unshift(async (context, next) => {
    if (forcedStatus === null) return next();
    context.status = forcedStatus;
  });
  // s3rver doesn't implement AbortMultipartUpload.
  server.middleware.unshift(async (context, next) => {
    const { uploadId } = context.query;
    if (context.method !== "DELETE" || !uploadId) return next();
    for (const folder of readdirSync(directory, { recursive: true, withFileTypes: true }))
      if (folder.isDirectory() && folder.name === uploadId)
        rmSync(join(folder.parentPath, folder.name), { recursive: true });
    context.status = 204;
  });
  const { port } = await server.run();
  whenDone(async () => {
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const listFiles = () =>
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
    /** Lists the files on disk, including parts of unfinished uploads. */
    onDisk: () => listFiles().filter((path) => path.endsWith("_object") || /upload/.test(path)),
    /** Responds to every request with this status, or normally if null. */
    answerWith(status: number | null): void {
      forcedStatus = status;
    },
    /** Sets the modification time of an object to two days ago. */
    makeOld(key: string): void {
      const twoDaysAgo = performance.timeOrigin / 1_000 - 2 * 86_400;
      for (const path of listFiles())
        if (path.includes(join("builds", ...key.split("/")))) utimesSync(path, twoDaysAgo, twoDaysAgo);
    },
  };
}
