import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { UploadFormValues } from "#schema/rules/software-upload.ts";
import { uploadGraphql } from "#web/platform/upload-graphql.ts";
import { UploadSoftwareDocument, type UploadSoftwareMutation } from "#web/generated/graphql.ts";

/** How far an upload is. Once all bytes have left, the server checks the files. */
export interface UploadStanding {
  readonly sent: number;
  readonly total: number;
  /** Null while it can't be said. */
  readonly secondsLeft: number | null;
}

/** What became of an upload. */
export type UploadedBuild = UploadSoftwareMutation["uploadSoftware"];

/** One upload at a time. */
export interface Upload {
  /** Null while nothing is uploaded. */
  readonly standing: UploadStanding | null;
  /** @returns null when it was cancelled. */
  start: (values: UploadFormValues) => Promise<UploadedBuild | null>;
  cancel: () => void;
}

/** Before that, a rate says nothing yet. */
const RATE_AFTER_MS = 1_000;

/** Sends a build's files and tells how far it is; given up when its place on the screen goes. */
export function useUpload(): Upload {
  const [standing, setStanding] = useState<UploadStanding | null>(null);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);

  return {
    standing,
    async start(values) {
      const mine = new AbortController();
      control.current = mine;
      const { installationFile, applicationFilesZipFile = null, vstoFile = null } = values;
      const began = performance.now();
      setStanding({ sent: 0, total: sum([installationFile, applicationFilesZipFile, vstoFile]), secondsLeft: null });
      try {
        const { uploadSoftware } = await uploadGraphql(
          UploadSoftwareDocument,
          {
            input: { softwareStage: values.softwareStage, version: values.version || null },
            installationFile,
            applicationFilesZipFile,
            vstoFile,
          },
          {
            signal: mine.signal,
            onForbidden: () => flushSync(() => setStanding(null)),
            onProgress: (sent, total) =>
              setStanding({ sent, total, secondsLeft: secondsLeft(sent, total, performance.now() - began) }),
          },
        );
        return uploadSoftware;
      } catch (error) {
        if (mine.signal.aborted) return null;
        throw error;
      } finally {
        control.current = null;
        setStanding(null);
      }
    },
    cancel: () => control.current?.abort(),
  };
}

/** Whether all bytes have left: from then on the server finishes what it has, and a cancel would say something untrue. */
export function isSent({ sent, total }: UploadStanding): boolean {
  return total > 0 && sent >= total;
}

const sum = (files: readonly (File | null)[]) => files.reduce((bytes, file) => bytes + (file?.size ?? 0), 0);

function secondsLeft(sent: number, total: number, elapsedMs: number): number | null {
  if (elapsedMs < RATE_AFTER_MS || sent === 0) return null;
  return ((total - sent) * elapsedMs) / sent / 1_000;
}
