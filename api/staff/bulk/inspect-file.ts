import type { Readable } from "node:stream";

/** How the letters of a file are read; the names are shown to people. */
export type FileEncoding = "UTF-8" | "UTF-16" | "Windows-1252";

/** What a look at the whole file says about reading it. */
export interface FileForm {
  readonly encoding: FileEncoding;
  /** The decoder's name for it. */
  readonly decoder: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  readonly separator: "," | ";" | "\t";
  readonly sizeBytes: number;
}

/** Why nothing can be read from a file, in a sentence. */
export class UnreadableFile extends Error {}

const HEAD_BYTES = 65_536;

/** Files that people take for CSV, by their first bytes. */
const otherFiles: readonly (readonly [startsWith: readonly number[], sentence: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "This is a workbook or an archive, not CSV. Save it as “CSV UTF-8” first."],
  [[0xd0, 0xcf, 0x11, 0xe0], "This is an old Excel workbook, not CSV. Save it as “CSV UTF-8” first."],
  [[0x25, 0x50, 0x44, 0x46], "This is a PDF, not CSV."],
  [[0x1f, 0x8b], "This is a compressed file, not CSV. Unpack it first."],
];

/**
 * Looks once through a file, a piece at a time: which letters it is written in, and what stands between its cells.
 * What is not valid UTF-8 is taken for Windows-1252, as Excel writes without asking.
 * @throws UnreadableFile for what is no text, empty, or holds NUL.
 */
export async function inspectFile(content: Readable): Promise<FileForm> {
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
  // A letter may have been cut off at the end.
  if (isUtf8)
    try {
      utf8.decode();
    } catch {
      isUtf8 = false;
    }
  if (sizeBytes === 0) throw new UnreadableFile("The file is empty.");
  const other = otherFiles.find(([bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (other) throw new UnreadableFile(other[1]);
  const decoder = decoderOf(head, isUtf8);
  if (hasNul && !decoder.startsWith("utf-16"))
    throw new UnreadableFile("The file holds NUL characters: it is not text.");
  const text = new TextDecoder(decoder).decode(head, { stream: true });
  if (/[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) throw new UnreadableFile("This is not a text file.");
  return { encoding: nameOf(decoder), decoder, separator: separatorOf(text), sizeBytes };
}

function decoderOf(head: Buffer, isUtf8: boolean): FileForm["decoder"] {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return isUtf8 ? "utf-8" : "windows-1252";
}

function nameOf(decoder: FileForm["decoder"]): FileEncoding {
  if (decoder === "utf-8") return "UTF-8";
  return decoder === "windows-1252" ? "Windows-1252" : "UTF-16";
}

/** What stands most often outside quotes in the first line; Excel's own `sep=;` says it outright. */
function separatorOf(text: string): FileForm["separator"] {
  const counts = { ",": 0, ";": 0, "\t": 0 };
  const [, said] = /^sep=([,;\t])\r?\n/i.exec(text) ?? [];
  if (said) return said as FileForm["separator"];
  let quoted = false;
  for (const letter of text) {
    if (letter === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (letter === "\n" || letter === "\r") break;
    else if (letter in counts) counts[letter as keyof typeof counts]++;
  }
  return (Object.keys(counts) as (keyof typeof counts)[]).reduce((best, one) =>
    counts[one] > counts[best] ? one : best,
  );
}
