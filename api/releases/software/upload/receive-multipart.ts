import busboy from "busboy";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type SoftwareFileField, softwareFiles } from "#schema/software-files.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { refuseManyFiles, refusePart, sayWhenDiskIsFull, uploadLimits } from "./refusals.ts";
import type { Spool } from "./spool.ts";

const MOST_FIELD_BYTES = 10_000;
const MOST_FIELDS = 20;

/**
 * Reads a multipart body: files go to the spool as they arrive, the plain fields are returned. It is read to its end even
 * when a file was refused, so that its sender reads the answer instead of a broken connection.
 * @throws AppError BAD_USER_INPUT, PAYLOAD_TOO_LARGE, or UNAVAILABLE when the disk is full.
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
  parser.on("filesLimit", () => (failure ??= refuseManyFiles()));
  parser.on("file", (name, content, { filename }) => {
    // A fault of the file is met by whoever reads it; without a listener it would end the process.
    content.on("error", () => {});
    const field = fieldOf(name);
    // An input without a chosen file is sent as one without a name.
    if (failure || !field || filename === "") return void content.resume();
    open.add(content);
    const received = spool.receive(field, filename ?? null, content).catch((error: unknown) => {
      failure ??= errorOf(error, field);
      content.resume();
    });
    receiving.push(received.finally(() => open.delete(content)));
  });
  await pipeline(counted(body), parser).catch((error: unknown) => {
    failure ??= error instanceof AppError ? error : badInput({ body: ["The upload did not arrive whole."] });
    for (const content of open) content.destroy(new Error("cut off"));
    // What a malformed part leaves unread is discarded, so that the answer is read; above the limit the connection ends.
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
        fieldSize: MOST_FIELD_BYTES,
        fields: MOST_FIELDS,
        files: uploadLimits.files,
        parts: MOST_FIELDS + uploadLimits.files,
        headerPairs: 50,
      },
    });
  } catch {
    throw badInput({ body: ["Must be multipart/form-data with a boundary."] });
  }
}

async function* counted(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > uploadLimits.multipartBytes) throw new AppError("PAYLOAD_TOO_LARGE");
    yield chunk;
  }
}

function fieldOf(name: string): SoftwareFileField | null {
  return Object.hasOwn(softwareFiles, name) ? (name as SoftwareFileField) : null;
}

function errorOf(error: unknown, field: SoftwareFileField): unknown {
  const known = sayWhenDiskIsFull(error);
  return known instanceof AppError ? known : refusePart(field);
}
