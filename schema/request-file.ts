/** Longest request file, in bytes of UTF-8; the add-in's own has about one kB. */
export const REQUEST_FILE_MAX_BYTES = 50_000;

export const REQUEST_FILE_TOO_LARGE =
  "The request file is larger than 50 kB. Please choose the file that the add-in saved.";

export const REQUEST_FILE_DAMAGED = "This is not a request file, or it is damaged. Please save it anew in the add-in.";

/** What a request file was read as: the values it holds, unchecked, or a sentence that says why it is none. */
export type ReadRequestFile = { values: Record<string, unknown> } | { fault: string };

/**
 * Reads a request file: JSON, or JSON in base64 (also base64url, wrapped or not), with or without a byte order mark
 * and white space around it. The portal shows with it what it is about to send, the api acts on it.
 */
export function readRequestFile(text: string): ReadRequestFile {
  const trimmed = text.trim();
  if (trimmed.includes("BEGIN LICENCE FILE"))
    return { fault: "This is a licence file. Please choose the request file that the add-in saved." };
  const json = trimmed.startsWith("{") ? trimmed : fromBase64(trimmed);
  const values = json === null ? undefined : parsed(json);
  if (typeof values !== "object" || values === null || Array.isArray(values)) return { fault: REQUEST_FILE_DAMAGED };
  return { values: values as Record<string, unknown> };
}

/**
 * The bytes of a file as text: UTF-8, or UTF-16 where its byte order mark says so, as editors on Windows write it.
 * Null when they are no text.
 */
export function textOfFile(bytes: Uint8Array): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function fromBase64(text: string): string | null {
  const compact = text.replace(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return null;
  try {
    return textOfFile(Uint8Array.from(atob(compact), (character) => character.charCodeAt(0)))?.trim() ?? null;
  } catch {
    return null;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
