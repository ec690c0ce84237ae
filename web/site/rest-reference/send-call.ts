import { formatNumber } from "#schema/numbers.ts";
import { formatJson } from "#web/platform/format-json.ts";
import { sendWithSession } from "#web/platform/refresh-session.ts";

export interface CallResponse {
  readonly status: number;
  /** Time until the last byte, in milliseconds. */
  readonly durationMs: number;
  readonly type: string;
  readonly requestId: string | null;
  /** Formatted JSON or text. For other types, a description of the file. */
  readonly text: string;
}

/** A request to send. `as` is the caller: nobody, the session of the signed-in user, or a pasted token. */
export interface CallRequest {
  readonly method: string;
  readonly url: string;
  readonly body: { readonly content: string; readonly type: string } | null;
  readonly caller: "nobody" | "session" | { readonly token: string };
}

/** Longest text to show, in characters. Very long responses would freeze the page. */
const MOST_CHARACTERS = 60_000;

/**
 * Sends a call and reads the complete response, whatever its status.
 * @throws {TypeError} from `fetch` if there is no response
 */
export async function sendCall({ method, url, body, caller }: CallRequest): Promise<CallResponse> {
  const startedAt = performance.now();
  const send = (token: string | null) =>
    fetch(url, {
      method,
      headers: {
        Accept: "application/json",
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { "Content-Type": body.type } : {}),
      },
      ...(body ? { body: body.content } : {}),
    });
  const response =
    caller === "session"
      ? await sendWithSession(send, ({ status }) => status === 401)
      : await send(caller === "nobody" ? null : caller.token.trim());
  const bytes = await response.arrayBuffer();
  const type = response.headers.get("content-type") ?? "";
  return {
    status: response.status,
    durationMs: Math.round(performance.now() - startedAt),
    type,
    requestId: response.headers.get("x-request-id"),
    text: describeBody(bytes, type, response.headers.get("content-disposition")),
  };
}

function describeBody(bytes: ArrayBuffer, type: string, disposition: string | null): string {
  if (bytes.byteLength === 0) return "";
  const file = /filename="([^"]+)"/.exec(disposition ?? "")?.[1];
  if (file || !/json|text/.test(type)) return `${file ?? "A file"}, ${formatNumber(bytes.byteLength)} bytes`;
  const text = new TextDecoder().decode(bytes);
  return truncate(/json/.test(type) ? formatJson(text) : text);
}

function truncate(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}\n… ${formatNumber(text.length - MOST_CHARACTERS)} more characters`;
}

/** A call that the panel can send, read from the page. */
export interface TryableCall {
  readonly id: string;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly changes: boolean;
  /** True if the call requires a token. */
  readonly isSignedIn: boolean;
  /** False if the call requires a session. */
  readonly takesTokens: boolean;
  readonly inPath: readonly string[];
  readonly inQuery: readonly { readonly name: string; readonly required: boolean }[];
  /** Content type of the body; null if there is none. */
  readonly type: string | null;
  /** Example body as JSON; empty for files. */
  readonly example: string;
}

/** Reads a call from its section of the page. */
export function readTryableCall(section: HTMLElement): TryableCall {
  const { method = "GET", path = "", access, changes, query = "", type = null, scope } = section.dataset;
  return {
    id: section.id,
    title: section.querySelector("h3 a")?.textContent ?? path,
    method,
    path,
    changes: changes !== undefined,
    isSignedIn: access === "signedIn",
    takesTokens: scope !== "session",
    inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    inQuery: query
      .split(" ")
      .filter(Boolean)
      .map((name) => ({ name: name.replace("!", ""), required: name.endsWith("!") })),
    type,
    example: extractCurlBody(section.querySelector('pre[data-language="curl"]')?.textContent ?? ""),
  };
}

/** Extracts the body from a curl example, where it is the last argument, in single quotes. */
export function extractCurlBody(curl: string): string {
  const [, body = ""] = / -d '([\s\S]*)'$/.exec(curl) ?? [];
  return body.replaceAll(String.raw`'\''`, "'");
}

/** Builds the URL of a call with the entered values. Leaves out empty query parameters. */
export function buildUrl({ path, inQuery }: TryableCall, values: Readonly<Record<string, string>>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]?.trim() ?? ""));
  const query = new URLSearchParams(
    inQuery.flatMap(({ name }) => (values[name]?.trim() ? [[name, values[name].trim()]] : [])),
  ).toString();
  return query ? `${filled}?${query}` : filled;
}
