import type { S3Client } from "@aws-sdk/client-s3";
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { BucketSettings } from "./bucket-settings.ts";
import { AppError } from "#api/platform/errors.ts";
import { checkKey, type Files } from "./files.ts";
import { createMeasure, hearErrors } from "./measure.ts";

/** Time limits, in milliseconds; tests shorten them. */
export const bucketTimeouts = {
  /** Until a connection stands. */
  connectMs: 3_000,
  /** Until the bucket answers, tries again included; for a part that is stored, each try. */
  answerMs: 10_000,
  /** Between two pieces of a content that somebody waits for. */
  pieceMs: 10_000,
};

/** Content is stored in parts of this size, two of them under way: what a `put` holds in memory. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Files in an S3-compatible bucket, which several machines share. The library is loaded when it is first needed. A
 * bucket that refuses, errs or does not answer in time is UNAVAILABLE to whoever asks, and a line in the log without
 * a secret; nothing is kept of what was half stored.
 */
export function createBucketFiles(settings: BucketSettings, log: Logger): Files {
  let opened: Promise<Opened> | undefined;
  const bucket = () => (opened ??= open(settings));
  const Bucket = settings.bucket;

  /** Asks the bucket, and stops asking when it does not answer. */
  async function ask<Answer>(what: string, run: (opened: Opened, signal: AbortSignal) => Promise<Answer>) {
    // Ended by hand once there is an answer: its content may take as long as its reader does.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), bucketTimeouts.answerMs);
    try {
      return await run(await bucket(), limit.signal);
    } catch (error) {
      throw away(what, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function begin(key: string) {
    checkKey(key);
    const { Upload } = await import("@aws-sdk/lib-storage");
    return { Upload, client: (await bucket()).client };
  }

  function away(what: string, error: unknown): AppError {
    const { name, code, message } = error as { name?: string; code?: string; message?: string };
    log.warn({ what, name, code, reason: message }, "the bucket of stored files does not do as asked");
    return new AppError("UNAVAILABLE", { retryAfterSeconds: 5 });
  }

  return {
    async put(key, content) {
      hearErrors(content);
      const { Upload, client } = await begin(key).catch((error: unknown) => {
        content.destroy();
        throw error;
      });
      const measure = createMeasure();
      const upload = new Upload({
        client,
        params: { Bucket, Key: key, Body: measure.stream },
        partSize: PART_BYTES,
        queueSize: 2,
        // Parts of a content that broke off are dropped.
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
        if (isOwnFault(broken)) throw broken;
        throw away("put", error);
      }
      if (broken) throw broken;
      return measure.result();
    },

    async open(key, range) {
      checkKey(key);
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await ask("open", async ({ client, sdk }, abortSignal) =>
        orNull(client.send(new sdk.GetObjectCommand({ Bucket, Key: key, Range }), { abortSignal })),
      );
      if (found && range && !found.ContentRange?.startsWith(`bytes ${range.start}-${range.end}/`)) {
        (found.Body as Readable).destroy();
        throw away("open", new Error("the bucket gave another part than it was asked for"));
      }
      return found && patient(found.Body as Readable);
    },

    async stat(key) {
      checkKey(key);
      const found = await ask("stat", async ({ client, sdk }, abortSignal) =>
        orNull(client.send(new sdk.HeadObjectCommand({ Bucket, Key: key }), { abortSignal })),
      );
      return found && { sizeBytes: found.ContentLength ?? 0 };
    },

    async *list(under) {
      checkKey(under);
      let ContinuationToken: string | undefined;
      do {
        const page = await ask("list", ({ client, sdk }, abortSignal) =>
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
      checkKey(key);
      await ask("delete", ({ client, sdk }, abortSignal) =>
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
    // Without, the library looks where AWS's own tools do: AWS_* variables, the machine's role.
    ...(credentials === null ? {} : { credentials }),
    maxAttempts: 3,
    // Other makers' buckets do not all know the checksums that AWS has added; ours is taken on the way in.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: bucketTimeouts.connectMs,
      requestTimeout: bucketTimeouts.answerMs,
      throwOnRequestTimeout: true,
      // A reader who pauses is not a bucket that hangs.
      socketTimeout: 0,
      httpAgent: { maxSockets: 200 },
      httpsAgent: { maxSockets: 200 },
    },
  });
  return { sdk, client };
}

/** A content as it comes, broken off when none comes although somebody waits for it. */
function patient(body: Readable): Readable {
  const out = new PassThrough();
  const timer = setTimeout(() => {
    if (out.writableNeedDrain) timer.refresh();
    else out.destroy(new Error("the bucket sends nothing any more"));
  }, bucketTimeouts.pieceMs);
  body.on("data", () => timer.refresh());
  // Its reader hears of a failure from `out` itself.
  void pipeline(body, out)
    .catch(() => {})
    .finally(() => clearTimeout(timer));
  return out;
}

/** Whether what was to be stored broke off by itself, and not because the bucket took no more. */
function isOwnFault(error: Error | undefined): error is Error {
  const code = (error as { code?: string } | undefined)?.code;
  return error !== undefined && code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ABORT_ERR";
}

async function orNull<Found>(asked: Promise<Found>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    // NoSuchBucket is a 404, too, and no missing file.
    if (["NoSuchKey", "NotFound"].includes((error as { name?: string }).name ?? "")) return null;
    throw error;
  }
}
