import { formatNumber } from "#schema/numbers.ts";
import { askWithSession } from "#web/platform/refresh-session.ts";

/** What came back. */
export interface Received {
  readonly status: number;
  /** From asking until the last byte, ms. */
  readonly took: number;
  readonly type: string;
  readonly requestId: string | null;
  /** JSON laid out, or a sentence on what is no text. */
  readonly text: string;
}

/** A request as it will be sent; `token` is one that was pasted, `session` asks as whoever is signed in here. */
export interface Outgoing {
  readonly method: string;
  readonly address: string;
  readonly body: { readonly content: string; readonly type: string } | null;
  readonly as: "nobody" | "session" | { readonly token: string };
}

/** Longer answers are cut: a page of megabytes would stand still. */
const MOST_CHARACTERS = 60_000;

/**
 * Sends a call and reads the whole answer, whatever its status.
 * @throws {TypeError} of `fetch` when no answer came
 */
export async function sendCall({ method, address, body, as }: Outgoing): Promise<Received> {
  const begun = performance.now();
  const send = (token: string | null) =>
    fetch(address, {
      method,
      headers: {
        Accept: "application/json",
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { "Content-Type": body.type } : {}),
      },
      ...(body ? { body: body.content } : {}),
    });
  const answer =
    as === "session"
      ? await askWithSession(send, ({ status }) => status === 401)
      : await send(as === "nobody" ? null : as.token.trim());
  const bytes = await answer.arrayBuffer();
  const type = answer.headers.get("content-type") ?? "";
  return {
    status: answer.status,
    took: Math.round(performance.now() - begun),
    type,
    requestId: answer.headers.get("x-request-id"),
    text: shown(bytes, type, answer.headers.get("content-disposition")),
  };
}

function shown(bytes: ArrayBuffer, type: string, disposition: string | null): string {
  if (bytes.byteLength === 0) return "";
  const file = /filename="([^"]+)"/.exec(disposition ?? "")?.[1];
  if (file || !/json|text/.test(type)) return `${file ?? "A file"}, ${formatNumber(bytes.byteLength)} bytes`;
  const text = new TextDecoder().decode(bytes);
  return cut(/json/.test(type) ? laidOut(text) : text);
}

function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}\n… ${formatNumber(text.length - MOST_CHARACTERS)} characters more`;
}
