import type { S3Client } from "@aws-sdk/client-s3";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { BucketSettings } from "./bucket-settings.ts";
import { AppError } from "#api/platform/errors.ts";
import { checkFileKey, type Files, createMeasure, ignoreStreamErrors } from "./files.ts";

/** Timeouts in milliseconds. Tests shorten them. */
export const bucketTimeouts = {
  /** Longest time to open a connection. */
  connectMs: 3_000,
  /**
   * Longest time until the bucket responds, including retries. For uploads, the limit applies to each attempt to store
   * a part.
   */
  answerMs: 10_000,
  /** Longest time without data while a reader is waiting. */
  pieceMs: 10_000,
};

/** Size of the parts in which content is uploaded. `put` keeps two of them in memory. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Creates storage in an S3-compatible bucket, which several machines can share. The AWS SDK is loaded when it is first
 * needed. Errors and timeouts of the bucket are logged without secrets and reported as UNAVAILABLE. Incomplete uploads
 * are removed.
 */
export function createBucketFiles(settings: BucketSettings, log: Logger): Files {
  let opened: Promise<Opened> | undefined;
  const openOnce = () => (opened ??= open(settings));
  const Bucket = settings.bucket;

  /** Sends a request to the bucket and aborts it if there is no response in time. */
  async function sendRequest<Result>(what: string, run: (opened: Opened, signal: AbortSignal) => Promise<Result>) {
    // The timeout ends when the bucket responds. Reading the content may take as long as its reader needs.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), bucketTimeouts.answerMs);
    try {
      return await run(await openOnce(), limit.signal);
    } catch (error) {
      throw toUnavailable(what, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function openForUpload(key: string) {
    checkFileKey(key);
    const { Upload } = await import("@aws-sdk/lib-storage");
    return { Upload, client: (await openOnce()).client };
  }

  function toUnavailable(what: string, error: unknown): AppError {
    const { name, code, message } = error as { name?: string; code?: string; message?: string };
    log.warn({ what, name, code, reason: message }, "a request to the bucket of stored files failed");
    // Without the code of a lost connection, which would count as one to the database.
    const cause = new Error(`The bucket can't be used: ${code ?? name}: ${message}`);
    return new AppError("UNAVAILABLE", { retryAfterSeconds: 5, cause });
  }

  return {
    async put(key, content) {
      ignoreStreamErrors(content);
      const { Upload, client } = await openForUpload(key).catch((error: unknown) => {
        content.destroy();
        throw error;
      });
      const measure = createMeasure();
      const upload = new Upload({
        client,
        params: { Bucket, Key: key, Body: measure.stream },
        partSize: PART_BYTES,
        queueSize: 2,
        // Deletes the parts of an interrupted upload.
        leavePartsOnError: false,
      });
      let broken: Error | undefined;
      const reading = pipeline(content, measure.stream).catch((error: Error) => {
        broken = error;
      });
      try {
        await upload.done();
        await reading;
      } catch (error) {
        measure.stream.destroy();
        await reading;
        await upload.abort().catch(() => {});
        if (isSourceError(broken)) throw broken;
        throw toUnavailable("put", error);
      }
      if (broken) throw broken;
      return measure.result();
    },

    async open(key, range) {
      checkFileKey(key);
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await sendRequest("open", async ({ client, sdk }, abortSignal) =>
        orNull(client.send(new sdk.GetObjectCommand({ Bucket, Key: key, Range }), { abortSignal })),
      );
      if (found && range && !found.ContentRange?.startsWith(`bytes ${range.start}-${range.end}/`)) {
        (found.Body as Readable).destroy();
        throw toUnavailable("open", new Error("the bucket returned a different range than requested"));
      }
      return found && passContent(found.Body as Readable, (error) => toUnavailable("read", error));
    },

    async stat(key) {
      checkFileKey(key);
      const found = await sendRequest("stat", async ({ client, sdk }, abortSignal) =>
        orNull(client.send(new sdk.HeadObjectCommand({ Bucket, Key: key }), { abortSignal })),
      );
      return found && { sizeBytes: found.ContentLength ?? 0 };
    },

    async *list(under) {
      checkFileKey(under);
      let ContinuationToken: string | undefined;
      do {
        const page = await sendRequest("list", ({ client, sdk }, abortSignal) =>
          client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix: `${under}/`, ContinuationToken }), {
            abortSignal,
          }),
        );
        for (const { Key, LastModified } of page.Contents ?? [])
          if (Key && LastModified) yield { key: Key, writtenAt: LastModified };
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken);
    },

    async delete(key) {
      checkFileKey(key);
      await sendRequest("delete", ({ client, sdk }, abortSignal) =>
        client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }), { abortSignal }),
      );
    },
  };
}

interface Opened {
  readonly sdk: typeof import("@aws-sdk/client-s3");
  readonly client: S3Client;
}

async function open({ endpoint, region, credentials }: BucketSettings): Promise<Opened> {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    // Without credentials the SDK uses AWS's defaults: AWS_* variables, then the machine's role.
    ...(credentials === null ? {} : { credentials }),
    maxAttempts: 3,
    // Not all S3-compatible services support AWS's newer checksums. `put` calculates its own.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: bucketTimeouts.connectMs,
      requestTimeout: bucketTimeouts.answerMs,
      throwOnRequestTimeout: true,
      // No idle timeout on the socket, because a slow reader isn't an error of the bucket.
      socketTimeout: 0,
      httpAgent: { maxSockets: 200 },
      httpsAgent: { maxSockets: 200 },
    },
  });
  return { sdk, client };
}

/**
 * Passes content on and aborts it if the bucket sends nothing while a reader is waiting.
 * @param toError returns the error that the reader gets for one of the bucket
 */
function passContent(body: Readable, toError: (error: unknown) => Error): Readable {
  const out = new PassThrough();
  const timer = setTimeout(() => {
    if (out.writableNeedDrain) timer.refresh();
    else body.destroy(new Error("the bucket stopped sending data"));
  }, bucketTimeouts.pieceMs);
  body.on("data", () => timer.refresh());
  // Before the listeners of `pipeline`, which would pass the error of the bucket on.
  body.on("error", (error) => {
    // A reader that leaves destroys the content, too.
    if (!out.destroyed) out.destroy(toError(error));
  });
  // `out` reports the failure to its reader.
  void pipeline(body, out)
    .catch(() => {})
    .finally(() => clearTimeout(timer));
  return out;
}

/** Returns whether the source of an upload failed, rather than the bucket. */
function isSourceError(error: Error | undefined): error is Error {
  const code = (error as { code?: string } | undefined)?.code;
  return error !== undefined && code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ABORT_ERR";
}

async function orNull<Found>(request: Promise<Found>): Promise<Found | null> {
  try {
    return await request;
  } catch (error) {
    // NoSuchBucket is a 404, too, but doesn't mean that the file is missing.
    if (["NoSuchKey", "NotFound"].includes((error as { name?: string }).name ?? "")) return null;
    throw error;
  }
}
