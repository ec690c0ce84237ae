import { useEffect, useRef, useState } from "react";
import type { UploadFormValues } from "#schema/rules/software-upload.ts";
import { softwareFileFields } from "#schema/software-files.ts";
import { uploadGraphql } from "#web/app/upload-graphql.ts";

/** How far an upload is. Once all bytes have left, the server checks the files. */
export interface UploadStanding {
  readonly sent: number;
  readonly total: number;
  /** Null while it can't be said. */
  readonly secondsLeft: number | null;
}

/** What became of an upload. */
export interface UploadedBuild {
  readonly id: string;
  readonly stage: number;
  readonly stageLabel: string;
  readonly version: string;
}

/** One upload at a time. */
export interface Upload {
  /** Null while nothing is uploaded. */
  readonly standing: UploadStanding | null;
  /** @returns null when it was cancelled. */
  start: (values: UploadFormValues) => Promise<UploadedBuild | null>;
  cancel: () => void;
}

const UPLOAD = /* GraphQL */ `
  mutation UploadSoftware(
    $input: UploadSoftwareInput!
    $installationFile: Upload!
    $applicationFilesZipFile: Upload
    $vstoFile: Upload
  ) {
    uploadSoftware(
      input: $input
      installationFile: $installationFile
      applicationFilesZipFile: $applicationFilesZipFile
      vstoFile: $vstoFile
    ) {
      id
      stage
      stageLabel
      version
    }
  }
`;

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
      const files = filesIn(values);
      const began = performance.now();
      setStanding({ sent: 0, total: sum(Object.values(files)), secondsLeft: null });
      try {
        const input = { softwareStage: values.softwareStage, version: values.version || null };
        const { uploadSoftware } = await uploadGraphql<{ uploadSoftware: UploadedBuild }>(
          UPLOAD,
          { input },
          {
            files,
            signal: mine.signal,
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

/** The files that were chosen, by the names of their variables. */
function filesIn(values: UploadFormValues): Record<string, File> {
  return Object.fromEntries(
    softwareFileFields.flatMap((field) => {
      const file = values[field];
      return file instanceof File ? [[field, file]] : [];
    }),
  );
}

const sum = (files: readonly File[]) => files.reduce((bytes, { size }) => bytes + size, 0);

function secondsLeft(sent: number, total: number, elapsedMs: number): number | null {
  if (elapsedMs < RATE_AFTER_MS || sent === 0) return null;
  return ((total - sent) * elapsedMs) / sent / 1_000;
}
