import busboy from "busboy";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type SoftwareFileField, softwareFiles } from "#schema/software-upload.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { createManyFilesError, createIncompleteFileError, translateFullDisk, uploadLimits } from "./upload-errors.ts";
import type { Spool } from "./spool.ts";

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
    const field = toFileField(name);
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

function toFileField(name: string): SoftwareFileField | null {
  return Object.hasOwn(softwareFiles, name) ? (name as SoftwareFileField) : null;
}

function toUploadError(error: unknown, field: SoftwareFileField): unknown {
  const known = translateFullDisk(error);
  return known instanceof AppError ? known : createIncompleteFileError(field);
}
