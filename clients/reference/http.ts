import { text } from "node:stream/consumers";
import { Readable, Transform } from "node:stream";
import type { ReadableStream } from "node:stream/web";

/** Reason that a request has no answer. */
export type Unanswered =
  /** No connection, no response within the time limit, or a proxy that requires a sign-in (407). */
  | "unreachable"
  /** Status 429 or 5xx: the service is overloaded or unavailable. */
  | "busy"
  /** A response that is not from the service: a captive portal, a truncated response or a redirect. */
  | "garbage"
  /** A response with an invalid proof. */
  | "forged"
  /** Status 400: the request is invalid, and repeating it won't help. */
  | "rejected"
  /** Status 401: the machine token is unknown. */
  | "unknown-token";

/** A JSON response (null if the body is empty, as with 204), or the reason there is none. */
export type HttpAnswer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status?: never; readonly unanswered: Unanswered };

export interface HttpOptions {
  /** URL of the service, without a trailing slash. */
  readonly url: string;
  /** Waits for a duration. Tests only record it. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Time limit of one request, including reading the response, in milliseconds. */
  readonly timeLimitMs: number;
}

/** Maximum length of a response from the service after decompression, in bytes. */
const MOST_BYTES = 256 * 1024;

/** Longest `Retry-After` that the client waits for, in seconds. It is short because a user is waiting. */
const LONGEST_WAIT_SECONDS = 10;

/** Sends a request. Waits once as `Retry-After` requires, if that is short. */
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
      // Following a redirect, for example to a network's sign-in page, would send the token there.
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

/**
 * Returns the body as JSON, or undefined if it is invalid, truncated, or longer than any response, compressed or not.
 */
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
