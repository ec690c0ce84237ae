import { formatNumber } from "#schema/numbers.ts";
import { sendWithSession } from "#web/platform/refresh-session.ts";

/** A response. */
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

/** Longest text to show. Very long responses would freeze the page. */
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

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function truncate(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}\n… ${formatNumber(text.length - MOST_CHARACTERS)} more characters`;
}
