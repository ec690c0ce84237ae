import { Resolver } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import {
  isLocalName,
  isLoopbackAddress,
  isPublicAddress,
  getLiteralAddress,
  explainUrlRefusal,
} from "./external-addresses.ts";
import { readMachineClock } from "#api/platform/clock.ts";

/** Result of a request to a URL chosen by a user. */
export interface ExternalResponse {
  readonly durationMs: number;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Beginning of a text response without control characters; null if there was none. */
  readonly body: string | null;
  /** Delay that the response requested with `Retry-After`, in milliseconds; null if it requested none. */
  readonly retryAfterMs: number | null;
  /** Null after a complete response, otherwise a message that doesn't reveal anything about the internal network. */
  readonly failure: string | null;
}

export interface ExternalRequestOptions {
  /** True if requests to this machine are allowed; never in production. */
  readonly allowsLoopback: boolean;
  /** Timeout from the DNS lookup to the last byte of the response. */
  readonly timeoutMs: number;
  /** Maximum number of characters of the response to keep. */
  readonly bodyCharacters: number;
  /** Resolves a name to its addresses. Tests replace it. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

class RefusedError extends Error {}

/** The same message for every reason, so it doesn't reveal internal names and addresses. */
const NOT_PUBLIC = "The URL doesn't lead to a public address.";

/**
 * Sends a POST request to a URL chosen by a user. The name is resolved once, all its addresses must be public, and the
 * connection uses the checked addresses, which prevents DNS rebinding. Redirects aren't followed, certificates are verified,
 * and connections aren't reused. Never throws.
 */
export async function postToExternalUrl(
  url: URL,
  headers: Readonly<Record<string, string>>,
  content: string,
  options: ExternalRequestOptions,
): Promise<ExternalResponse> {
  const startedAt = performance.now();
  const limit = AbortSignal.timeout(options.timeoutMs);
  const read: { -readonly [Key in "status" | "body" | "retryAfterMs"]: ExternalResponse[Key] } = {
    status: null,
    body: null,
    retryAfterMs: null,
  };
  let failure: string | null = null;
  try {
    const addresses = await within(limit, resolveAllowedAddresses(url, options));
    const response = await sendPost(url, addresses, headers, content, limit);
    read.status = response.statusCode ?? null;
    read.retryAfterMs = parseRetryAfter(response.headers["retry-after"]);
    await readBody(response, limit, (text) => (read.body = text), options.bodyCharacters);
  } catch (error) {
    failure = limit.aborted
      ? `There was no complete response within ${options.timeoutMs / 1_000} seconds.`
      : describeFailure(error as NodeJS.ErrnoException);
  }
  return { durationMs: Math.round(performance.now() - startedAt), ...read, failure };
}

/** Parses a `Retry-After` header in seconds or as a date (RFC 9110, section 10.2.3). Returns milliseconds or null. */
function parseRetryAfter(header: string | undefined): number | null {
  if (!header) return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - readMachineClock();
  return ms > 0 ? ms : null;
}

async function resolveAllowedAddresses(
  url: URL,
  { allowsLoopback, resolve = resolveName }: ExternalRequestOptions,
): Promise<string[]> {
  if (explainUrlRefusal(url, allowsLoopback)) throw new RefusedError(NOT_PUBLIC);
  const literal = getLiteralAddress(url);
  // `localhost` is always this machine, regardless of the resolver.
  const found = literal ? [literal] : isLocalName(url) ? ["127.0.0.1", "::1"] : await resolve(url.hostname);
  const isAllowed = (address: string) =>
    isPublicAddress(address) ||
    (allowsLoopback && isLoopbackAddress(address) && (literal !== null || isLocalName(url)));
  // All addresses must be allowed, because any of them may be used.
  if (found.length === 0 || !found.every(isAllowed)) throw new RefusedError(NOT_PUBLIC);
  return [...found];
}

/** Resolves a name with DNS only, ignoring this machine's hosts file and search domains. */
async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const toEmptyList = (error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENODATA" || error.code === "ENOTFOUND") return [];
    throw new RefusedError(NOT_PUBLIC);
  };
  const [four, six] = await Promise.all([
    resolver.resolve4(hostname).catch(toEmptyList),
    resolver.resolve6(hostname).catch(toEmptyList),
  ]);
  return [...four, ...six];
}

function sendPost(
  url: URL,
  addresses: readonly string[],
  headers: Readonly<Record<string, string>>,
  content: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup = ((_name: string, { all }: { all?: boolean }, done: (...found: unknown[]) => void) => {
    if (all) done(null, checked);
    else done(null, checked[0]?.address, checked[0]?.family);
  }) as unknown as LookupFunction;
  const options: RequestOptions & { rejectUnauthorized: boolean } = {
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(content), "accept-encoding": "identity" },
    lookup,
    agent: false,
    signal,
    rejectUnauthorized: true,
  };
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (url.protocol === "https:" ? requestHttps : requestHttp)(url, options);
    request.on("response", resolve);
    // Upgraded connections must be closed explicitly.
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      reject(new RefusedError(NOT_HTTP));
    });
    request.on("error", reject);
    request.end(content);
  });
}

/** Maximum number of bytes to read from a response. The rest is ignored. */
const READ_BYTES = 8_192;

async function readBody(
  response: IncomingMessage,
  signal: AbortSignal,
  keep: (text: string | null) => void,
  characters: number,
): Promise<void> {
  const parts: Buffer[] = [];
  let size = 0;
  const stop = () => response.destroy(new Error("out of time"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size >= READ_BYTES) break;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    response.destroy();
    keep(isText(response) ? toPlainText(Buffer.concat(parts), characters) : null);
  }
}

function isText({ headers }: IncomingMessage): boolean {
  const encoding = headers["content-encoding"] ?? "identity";
  const type = headers["content-type"] ?? "text/plain";
  return encoding === "identity" && /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i.test(type);
}

/** Decodes UTF-8, replaces invalid bytes, and removes control characters except line breaks and tabs. */
function toPlainText(bytes: Buffer, characters: number): string | null {
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n");
  const plain = text.replace(/[\p{Cc}\p{Cs}]/gu, (one) => (one === "\n" || one === "\t" ? one : ""));
  // Removes the first half of a surrogate pair that was cut off at the end.
  return plain ? plain.slice(0, characters).replace(/[\uD800-\uDBFF]$/u, "") : null;
}

const NOT_HTTP = "The response wasn't valid HTTP.";

function describeFailure(error: NodeJS.ErrnoException): string {
  if (error instanceof RefusedError) return error.message;
  const code = error.code ?? "";
  if (code.startsWith("HPE_")) return NOT_HTTP;
  if (/CERT|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/.test(code))
    return "No secure connection could be established. The certificate or TLS version wasn't accepted.";
  if (code === "ECONNRESET" || code === "EPIPE") return "The connection was closed before the response was complete.";
  return "No connection could be established.";
}

/** Waits for a promise, or throws when the signal is aborted. */
async function within<Value>(signal: AbortSignal, promise: Promise<Value>): Promise<Value> {
  let onAbort = () => {};
  const ended = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error("out of time"));
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
