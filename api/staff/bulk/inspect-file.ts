import type { Readable } from "node:stream";

/** Display name of a file's character encoding. */
type FileEncoding = "UTF-8" | "UTF-16" | "Windows-1252";

/** The detected format of a file. */
export interface FileFormat {
  readonly encoding: FileEncoding;
  /** Label of the encoding for `TextDecoder`. */
  readonly decoder: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  readonly separator: "," | ";" | "\t";
  readonly sizeBytes: number;
}

/** The file can't be read. The message is shown to the admin. */
export class UnreadableFileError extends Error {}

const HEAD_BYTES = 65_536;

/** File types often mistaken for CSV, recognised by their first bytes. */
const otherFileTypes: readonly (readonly [startsWith: readonly number[], message: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "This is a workbook or an archive, not CSV. Save it as “CSV UTF-8” first."],
  [[0xd0, 0xcf, 0x11, 0xe0], "This is an old Excel workbook, not CSV. Save it as “CSV UTF-8” first."],
  [[0x25, 0x50, 0x44, 0x46], "This is a PDF, not CSV."],
  [[0x1f, 0x8b], "This is a compressed file, not CSV. Unpack it first."],
];

/**
 * Detects the encoding and the separator of a file by streaming it once. Files that aren't valid UTF-8 are read as
 * Windows-1252, which Excel writes by default.
 * @throws UnreadableFileError if the file is empty, isn't text or contains NUL characters.
 */
export async function inspectFile(content: Readable): Promise<FileFormat> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let head = Buffer.alloc(0);
  let sizeBytes = 0;
  let isUtf8 = true;
  let hasNul = false;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
    hasNul ||= chunk.includes(0);
    if (isUtf8)
      try {
        utf8.decode(chunk, { stream: true });
      } catch {
        isUtf8 = false;
      }
  }
  // The file may end in the middle of a character.
  if (isUtf8)
    try {
      utf8.decode();
    } catch {
      isUtf8 = false;
    }
  if (sizeBytes === 0) throw new UnreadableFileError("The file is empty.");
  const otherType = otherFileTypes.find(([bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (otherType) throw new UnreadableFileError(otherType[1]);
  const decoder = detectDecoder(head, isUtf8);
  if (hasNul && !decoder.startsWith("utf-16"))
    throw new UnreadableFileError("This is not a text file: it contains NUL characters.");
  const text = new TextDecoder(decoder).decode(head, { stream: true });
  if (/[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) throw new UnreadableFileError("This is not a text file.");
  return { encoding: formatEncoding(decoder), decoder, separator: detectSeparator(text), sizeBytes };
}

function detectDecoder(head: Buffer, isUtf8: boolean): FileFormat["decoder"] {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return isUtf8 ? "utf-8" : "windows-1252";
}

function formatEncoding(decoder: FileFormat["decoder"]): FileEncoding {
  if (decoder === "utf-8") return "UTF-8";
  return decoder === "windows-1252" ? "Windows-1252" : "UTF-16";
}

/** Returns the most frequent separator outside quotes in the first line, unless Excel's `sep=;` line declares one. */
function detectSeparator(text: string): FileFormat["separator"] {
  const counts = { ",": 0, ";": 0, "\t": 0 };
  const [, declared] = /^sep=([,;\t])\r?\n/i.exec(text) ?? [];
  if (declared) return declared as FileFormat["separator"];
  let isQuoted = false;
  // A file may begin with empty lines.
  for (const character of text.replace(/^[\r\n]+/, "")) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "\n" || character === "\r") break;
    else if (character in counts) counts[character as keyof typeof counts]++;
  }
  return (Object.keys(counts) as (keyof typeof counts)[]).reduce((best, one) =>
    counts[one] > counts[best] ? one : best,
  );
}
