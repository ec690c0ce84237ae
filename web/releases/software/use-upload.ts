import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { UploadFormValues } from "#schema/software-upload.ts";
import { uploadGraphql } from "#web/platform/upload-graphql.ts";
import { UploadSoftwareDocument, type UploadSoftwareMutation } from "#web/generated/graphql.ts";
import { softwareStages } from "#schema/software.ts";
import { toCode } from "#schema/closed-list.ts";

/** Progress of an upload. After all bytes are sent, the server checks the files. */
export interface UploadProgress {
  readonly sent: number;
  readonly total: number;
  /** Null until it can be estimated. */
  readonly secondsLeft: number | null;
}

export type UploadedBuild = UploadSoftwareMutation["uploadSoftware"];

/** Shortest upload time from which the time left is estimated, in milliseconds. */
const MIN_ESTIMATE_MS = 1_000;

/** Uploads a build's files with progress, one build at a time. Unmounting cancels the upload. */
export function useUpload() {
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  return {
    /** Null if no upload is running. */
    progress,
    /** @returns null if the upload was cancelled. */
    async start(values: UploadFormValues): Promise<UploadedBuild | null> {
      const ownController = new AbortController();
      controller.current = ownController;
      const { installationFile, applicationFilesZipFile = null, vstoFile = null } = values;
      const startedAt = performance.now();
      setProgress({
        sent: 0,
        total: sumSizes([installationFile, applicationFilesZipFile, vstoFile]),
        secondsLeft: null,
      });
      try {
        const { uploadSoftware } = await uploadGraphql(
          UploadSoftwareDocument,
          {
            input: { softwareStage: toCode(softwareStages, values.softwareStage), version: values.version || null },
            installationFile,
            applicationFilesZipFile,
            vstoFile,
          },
          {
            signal: ownController.signal,
            onForbidden: () => flushSync(() => setProgress(null)),
            onProgress: (sent, total) =>
              setProgress({
                sent,
                total,
                secondsLeft: estimateSecondsLeft(sent, total, performance.now() - startedAt),
              }),
          },
        );
        return uploadSoftware;
      } catch (error) {
        if (ownController.signal.aborted) return null;
        throw error;
      } finally {
        controller.current = null;
        setProgress(null);
      }
    },
    cancel: () => controller.current?.abort(),
  };
}

/** Returns whether all bytes have been sent. After that, cancelling has no effect, because the server completes the upload. */
export function isSent({ sent, total }: UploadProgress): boolean {
  return total > 0 && sent >= total;
}

const sumSizes = (files: readonly (File | null)[]) => files.reduce((bytes, file) => bytes + (file?.size ?? 0), 0);

function estimateSecondsLeft(sent: number, total: number, elapsedMs: number): number | null {
  if (elapsedMs < MIN_ESTIMATE_MS || sent === 0) return null;
  return ((total - sent) * elapsedMs) / sent / 1_000;
}
