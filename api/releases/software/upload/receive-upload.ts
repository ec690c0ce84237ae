import type { Readable } from "node:stream";
import { softwareFileErrors, type SoftwareFileField, softwareFileFields } from "#schema/software-upload.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { FlatJson, type LongText } from "./flat-json.ts";
import {
  createFileError,
  uploadLimits,
  createManyFilesError,
  createIncompleteFileError,
  translateFullDisk,
} from "./upload-errors.ts";
import type { Spool, SpoolWriter } from "./spool.ts";
import busboy from "busboy";
import { pipeline } from "node:stream/promises";

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

/** Decodes base64, or a base64 data URL, in chunks. */
interface Base64Stream {
  /** Decodes the next chunk of text; returns null if it isn't valid. */
  push(text: string): Buffer | null;
  /** Decodes the remaining characters; returns null if they aren't valid. */
  end(): Buffer | null;
}

/** Maximum length of a `data:…;base64,` prefix, in characters. */
const MAX_PREFIX_LENGTH = 200;

/** Creates a decoder that accepts line breaks and both alphabets (`+/` and `-_`). */
export function createBase64Stream(): Base64Stream {
  let prefix: string | null = "";
  let rest = "";
  let hasEnded = false;

  /**
   * Removes a `data:…;base64,` prefix. Returns an empty string while the prefix is incomplete, and null if it is
   * malformed.
   */
  const removePrefix = (text: string, isLast: boolean): string | null => {
    if (prefix === null) return text;
    const all = prefix + text;
    prefix = all;
    if (!isLast && "data:".startsWith(all.slice(0, 5).toLowerCase())) {
      const comma = all.indexOf(",");
      if (comma < 0) return all.length > MAX_PREFIX_LENGTH ? null : "";
      prefix = null;
      return comma <= MAX_PREFIX_LENGTH && /;base64$/i.test(all.slice(0, comma)) ? all.slice(comma + 1) : null;
    }
    prefix = null;
    return all;
  };
  const decode = (text: string, isLast: boolean): Buffer | null => {
    const plain = removePrefix(text, isLast);
    if (plain === null) return null;
    const all = rest + plain.replace(/[\r\n\t ]/g, "");
    const whole = isLast ? all.length : all.length - (all.length % 4);
    const part = all.slice(0, whole);
    rest = all.slice(whole);
    if (part === "") return Buffer.alloc(0);
    // Nothing may follow padding.
    if (hasEnded || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(part)) return null;
    hasEnded = part.endsWith("=");
    const characters = part.replace(/={1,2}$/, "").length;
    return characters % 4 === 1 || (hasEnded && part.length % 4 !== 0) ? null : Buffer.from(part, "base64");
  };
  return { push: (text) => decode(text, false), end: () => decode("", true) };
}

const MAX_FIELD_BYTES = 10_000;
const MAX_FIELDS = 20;

/**
 * Reads a multipart body. Writes the files to the spool as they arrive and returns the other fields. Reads the body to its end
 * even after an error, so that the client gets the response instead of a broken connection.
 * @throws AppError BAD_USER_INPUT, PAYLOAD_TOO_LARGE, or UNAVAILABLE if the disk is full.
 */
export async function receiveMultipart(
  spool: Spool,
  body: Readable,
  contentType: string,
): Promise<Record<string, string>> {
  const parser = startParser(contentType);
  const fields = new Map<string, string>();
  const open = new Set<Readable>();
  const receiving: Promise<void>[] = [];
  let failure: unknown;
  parser.on("field", (name, value, { valueTruncated }) => {
    if (valueTruncated) failure ??= badInput({ body: ["A field is too long."] });
    fields.set(name, value);
  });
  parser.on("filesLimit", () => (failure ??= createManyFilesError()));
  parser.on("file", (name, content, { filename }) => {
    // The reader handles the file's errors, but without a listener an error would end the process.
    content.on("error", () => {});
    const field = isFileField(name) ? name : null;
    // Browsers send an empty file input as a file without a name.
    if (failure || !field || filename === "") return void content.resume();
    open.add(content);
    const received = spool.receive(field, filename ?? null, content).catch((error: unknown) => {
      failure ??= toUploadError(error, field);
      content.resume();
    });
    receiving.push(received.finally(() => open.delete(content)));
  });
  await pipeline(limitBytes(body), parser).catch((error: unknown) => {
    failure ??= error instanceof AppError ? error : badInput({ body: ["The upload is incomplete."] });
    for (const content of open) content.destroy(new Error("upload interrupted"));
    // Discard the rest after a malformed part, so that the client gets the response. Bodies above the size limit end
    // the connection.
    if (!(error instanceof AppError)) body.resume();
  });
  await Promise.all(receiving);
  if (failure) throw failure as Error;
  return Object.fromEntries(fields);
}

function startParser(contentType: string): busboy.Busboy {
  try {
    return busboy({
      headers: { "content-type": contentType },
      defParamCharset: "utf8",
      limits: {
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_FIELDS,
        files: uploadLimits.files,
        parts: MAX_FIELDS + uploadLimits.files,
        headerPairs: 50,
      },
    });
  } catch {
    throw badInput({ body: ["Must be multipart/form-data with a boundary."] });
  }
}

async function* limitBytes(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > uploadLimits.multipartBytes) throw new AppError("PAYLOAD_TOO_LARGE");
    yield chunk;
  }
}

function toUploadError(error: unknown, field: SoftwareFileField): unknown {
  const known = translateFullDisk(error);
  return known instanceof AppError ? known : createIncompleteFileError(field);
}
