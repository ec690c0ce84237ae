import type { Readable } from "node:stream";
import { softwareFileErrors, type SoftwareFileField, softwareFileFields } from "#schema/software-upload.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { createBase64Stream } from "./base64-stream.ts";
import { FlatJson, type LongText } from "./flat-json.ts";
import { createFileError, uploadLimits } from "./upload-errors.ts";
import type { Spool, SpoolWriter } from "./spool.ts";

/**
 * Reads a JSON body that contains files as base64 or data URLs. Writes the files to the spool as they arrive and
 * returns the other values. Reads the body to its end even after an error, so that the client gets the response instead
 * of a broken connection.
 * @throws AppError BAD_USER_INPUT, PAYLOAD_TOO_LARGE, or UNAVAILABLE if the disk is full.
 */
export async function receiveJson(spool: Spool, body: Readable): Promise<Record<string, unknown>> {
  const json = new FlatJson((key) => (isFileField(key) ? createReceiver(spool, key, () => json.values) : null));
  let bytes = 0;
  let failure: unknown;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > uploadLimits.base64Bytes) break;
      if (!failure) await json.push(chunk).catch((error: unknown) => (failure = error));
    }
  } catch (error) {
    failure ??= error instanceof AppError ? error : badInput({ body: ["The upload is incomplete."] });
  }
  if (failure) throw failure as Error;
  if (bytes > uploadLimits.base64Bytes) throw new AppError("PAYLOAD_TOO_LARGE");
  if (bytes > 0) json.end();
  setFileNames(spool, json.values);
  return Object.fromEntries(json.values);
}

function isFileField(key: string): key is SoftwareFileField {
  return softwareFileFields.some((field) => field === key);
}

/** Creates a receiver that decodes a file as it arrives. An empty string counts as no file. */
function createReceiver(spool: Spool, field: SoftwareFileField, values: () => Map<string, unknown>): LongText {
  const base64 = createBase64Stream();
  let writer: SpoolWriter | null = null;
  const write = async (bytes: Buffer | null): Promise<void> => {
    if (!bytes) throw createFileError(field, "The file must be sent as base64 or as a data URL.");
    if (bytes.length === 0) return;
    writer ??= await spool.begin(field);
    await writer.write(bytes);
  };
  return {
    take: (text) => write(base64.push(text)),
    async end() {
      await write(base64.end());
      await writer?.finish(null);
      values().delete(field);
    },
  };
}

/** Sets the names of the files from the body. Rejects a file that isn't a string. */
function setFileNames(spool: Spool, values: ReadonlyMap<string, unknown>): void {
  for (const field of softwareFileFields) {
    const value = values.get(field);
    if (value !== undefined && value !== null) throw createFileError(field, softwareFileErrors.unsupported);
    const name = values.get(`${field}Name`);
    const file = spool.files[field];
    if (file && typeof name === "string" && name.trim() !== "") spool.files[field] = { ...file, name: name.trim() };
  }
}
