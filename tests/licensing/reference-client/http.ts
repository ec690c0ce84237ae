import { text } from "node:stream/consumers";
import { Readable, Transform } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** Why a question has no answer. */
export type Unanswered =
  /** No connection, or nothing within the time limit. */
  | "unreachable"
  /** 429, 5xx: the service is busy or away. */
  | "busy"
  /** Something answered that is not the service: a captive portal, half an answer, a redirect. */
  | "garbage"
  /** An answer whose proof is not right. */
  | "forged"
  /** 400: the question is wrong, and would be again. */
  | "rejected"
  /** 401: the machine token was never given out. */
  | "unknown-token";

/** A JSON answer (null where there is no body, 204), or none. */
export type HttpAnswer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status?: never; readonly unanswered: Unanswered };

/** How the client reaches the service. */
export interface HttpOptions {
  /** Address of the service, without a slash at the end. */
  readonly url: string;
  /** Waits; tests count instead. */
  readonly sleep: (ms: number) => Promise<void>;
  /** How long one request may take, answer read, in milliseconds. */
  readonly timeLimitMs: number;
}

/** No answer of the service is longer than this, unpacked. */
const MOST_BYTES = 256 * 1024;

/** A person waits for the start: a longer `Retry-After` is for the next time. */
const LONGEST_WAIT_SECONDS = 10;

/** Sends a request; waits as `Retry-After` says, once, when that is short. */
export async function send(
  options: HttpOptions,
  method: "GET" | "POST",
  path: string,
  body?: object,
): Promise<HttpAnswer> {
  const first = await sendOnce(options, method, path, body);
  if (first.retryAfterSeconds === undefined) return first.answer;
  await options.sleep(first.retryAfterSeconds * 1_000);
  return (await sendOnce(options, method, path, body)).answer;
}

async function sendOnce(
  { url, timeLimitMs }: HttpOptions,
  method: string,
  path: string,
  body: object | undefined,
): Promise<{ answer: HttpAnswer; retryAfterSeconds?: number }> {
  const unanswered = (why: Unanswered) => ({ answer: { unanswered: why } });
  let response: Response;
  try {
    response = await fetch(url + path, {
      method,
      headers: body ? { "content-type": "application/json" } : {},
      ...(body ? { body: JSON.stringify(body) } : {}),
      // A redirect leads to a sign-in page of the network, and would carry the token there.
      redirect: "manual",
      signal: AbortSignal.timeout(timeLimitMs),
    });
  } catch {
    return unanswered("unreachable");
  }
  if (response.status === 429 || response.status >= 500) {
    await response.body?.cancel().catch(() => {});
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    const isWorthWaiting = seconds >= 0 && seconds <= LONGEST_WAIT_SECONDS;
    return { ...unanswered("busy"), ...(isWorthWaiting ? { retryAfterSeconds: seconds } : {}) };
  }
  if (response.status === 204) return { answer: { status: 204, json: null } };
  const json = await readJson(response);
  return json === undefined ? unanswered("garbage") : { answer: { status: response.status, json } };
}

/** The body as JSON; undefined when it is none, breaks off, or is longer than any answer, packed or not. */
async function readJson(response: Response): Promise<unknown> {
  if (!response.body) return undefined;
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > MOST_BYTES ? new Error("The answer is too long.") : null, chunk);
    },
  });
  const source = Readable.fromWeb(response.body as ReadableStream);
  source.on("error", (error) => limit.destroy(error));
  limit.on("error", () => source.destroy());
  try {
    return JSON.parse(await text(source.pipe(limit)));
  } catch {
    return undefined;
  }
}
