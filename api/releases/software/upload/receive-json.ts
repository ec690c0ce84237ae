import type { Readable } from "node:stream";
import { type SoftwareFileField, softwareFileFields, softwareFileSentences } from "#schema/software-files.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { createBase64Stream } from "./base64-stream.ts";
import { FlatJson, type LongText } from "./flat-json.ts";
import { refuseFile, uploadLimits } from "./refusals.ts";
import type { Spool, SpoolWriter } from "./spool.ts";

/**
 * Reads a JSON body whose files are base64 or data URLs: they go to the spool as they arrive, the plain values are returned.
 * It is read to its end even when it was refused, so that its sender reads the answer instead of a broken connection.
 * @throws AppError BAD_USER_INPUT, PAYLOAD_TOO_LARGE, or UNAVAILABLE when the disk is full.
 */
export async function receiveJson(spool: Spool, body: Readable): Promise<Record<string, unknown>> {
  const json = new FlatJson((key) => (isFileField(key) ? receiverOf(spool, key, () => json.values) : null));
  let bytes = 0;
  let failure: unknown;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > uploadLimits.base64Bytes) break;
      if (!failure) await json.push(chunk).catch((error: unknown) => (failure = error));
    }
  } catch (error) {
    failure ??= error instanceof AppError ? error : badInput({ body: ["The upload did not arrive whole."] });
  }
  if (failure) throw failure as Error;
  if (bytes > uploadLimits.base64Bytes) throw new AppError("PAYLOAD_TOO_LARGE");
  if (bytes > 0) json.end();
  nameFiles(spool, json.values);
  return Object.fromEntries(json.values);
}

function isFileField(key: string): key is SoftwareFileField {
  return softwareFileFields.some((field) => field === key);
}

/** Decodes a file while it arrives; an empty text counts as none. */
function receiverOf(spool: Spool, field: SoftwareFileField, values: () => Map<string, unknown>): LongText {
  const base64 = createBase64Stream();
  let writer: SpoolWriter | null = null;
  const write = async (bytes: Buffer | null): Promise<void> => {
    if (!bytes) throw refuseFile(field, "The file must be sent as base64 or as a data URL.");
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

/** Gives the files the names that stand beside them, and refuses a file that came as something else than text. */
function nameFiles(spool: Spool, values: ReadonlyMap<string, unknown>): void {
  for (const field of softwareFileFields) {
    const other = values.get(field);
    if (other !== undefined && other !== null) throw refuseFile(field, softwareFileSentences.unsupported);
    const name = values.get(`${field}Name`);
    const file = spool.files[field];
    if (file && typeof name === "string" && name.trim() !== "") spool.files[field] = { ...file, name: name.trim() };
  }
}
