/** Maximum size of a request file, in bytes of UTF-8. Files from the add-in are about 1 kB. */
export const REQUEST_FILE_MAX_BYTES = 50_000;

export const REQUEST_FILE_TOO_LARGE =
  "The request file is larger than 50 kB. Please choose the file that the add-in saved.";

export const REQUEST_FILE_DAMAGED = "This is not a request file, or it is damaged. Please save it again in the add-in.";

/** Result of reading a request file: its unvalidated values, or a message that explains why it isn't a request file. */
export type ParsedRequestFile = { values: Record<string, unknown> } | { fault: string };

/**
 * Parses a request file: JSON, or JSON in base64 or base64url, with or without line breaks, a byte order mark and
 * surrounding whitespace. The portal uses it for the preview, and the API for the activation.
 */
export function parseRequestFile(text: string): ParsedRequestFile {
  const trimmed = text.trim();
  if (trimmed.includes("BEGIN LICENCE FILE"))
    return { fault: "This is a licence file. Please choose the request file that the add-in saved." };
  const json = trimmed.startsWith("{") ? trimmed : decodeBase64(trimmed);
  const values = json === null ? undefined : parseJson(json);
  if (typeof values !== "object" || values === null || Array.isArray(values)) return { fault: REQUEST_FILE_DAMAGED };
  return { values: values as Record<string, unknown> };
}

/**
 * Decodes the bytes of a text file: UTF-8, or UTF-16 with a byte order mark, as some Windows editors save it. Returns null
 * if the bytes aren't valid text.
 */
export function decodeTextFile(bytes: Uint8Array): string | null {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeBase64(text: string): string | null {
  const compact = text.replace(/\s/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) return null;
  try {
    return decodeTextFile(Uint8Array.from(atob(compact), (character) => character.charCodeAt(0)))?.trim() ?? null;
  } catch {
    return null;
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
