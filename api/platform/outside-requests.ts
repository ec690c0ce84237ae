import { Resolver } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isLocalName, isLoopbackAddress, isPublicAddress, literalAddress, refusalOfUrl } from "./outside-addresses.ts";

/** What came of a post to an address that a user chose. */
export interface OutsideAnswer {
  readonly durationMs: number;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The beginning of an answer in text, without control characters; null when there was none. */
  readonly body: string | null;
  /** Null when it was answered in full; else a sentence that says nothing about our own network. */
  readonly failure: string | null;
}

/** How to post. */
export interface OutsideOptions {
  /** Outside production: this machine may be posted to. */
  readonly allowsLoopback: boolean;
  /** From the first look-up to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Characters of the answer that are kept. */
  readonly bodyCharacters: number;
  /** Addresses of a name; tests give their own. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

class Refused extends Error {}

/** One sentence for every reason, so that nobody learns which names and addresses there are inside. */
const NOWHERE = "The URL leads to no public address.";

/**
 * Posts a text to an address that a user chose. Its name is resolved once, every address that it has must be a public
 * one, and the connection is made to what was judged, so that a name which resolves to another address a moment later
 * gains nothing. Redirects are not followed, certificates are verified, connections are not kept.
 * Never throws.
 */
export async function postOutside(
  url: URL,
  headers: Readonly<Record<string, string>>,
  content: string,
  options: OutsideOptions,
): Promise<OutsideAnswer> {
  const startedAt = performance.now();
  const limit = AbortSignal.timeout(options.timeoutMs);
  const read: { status: number | null; body: string | null } = { status: null, body: null };
  let failure: string | null = null;
  try {
    const addresses = await within(limit, judgedAddresses(url, options));
    const answer = await ask(url, addresses, headers, content, limit);
    read.status = answer.statusCode ?? null;
    await readBody(answer, limit, (text) => (read.body = text), options.bodyCharacters);
  } catch (error) {
    failure = limit.aborted
      ? `There was no whole answer within ${options.timeoutMs / 1_000} seconds.`
      : sentenceOf(error as NodeJS.ErrnoException);
  }
  return { durationMs: Math.round(performance.now() - startedAt), ...read, failure };
}

async function judgedAddresses(url: URL, { allowsLoopback, resolve = resolveName }: OutsideOptions): Promise<string[]> {
  if (refusalOfUrl(url, allowsLoopback)) throw new Refused(NOWHERE);
  const literal = literalAddress(url);
  // Whatever the resolver would say of it: `localhost` is this machine.
  const found = literal ? [literal] : isLocalName(url) ? ["127.0.0.1", "::1"] : await resolve(url.hostname);
  const isAllowed = (address: string) =>
    isPublicAddress(address) ||
    (allowsLoopback && isLoopbackAddress(address) && (literal !== null || isLocalName(url)));
  // One bad address among good ones is enough: which one would be taken is chance.
  if (found.length === 0 || !found.every(isAllowed)) throw new Refused(NOWHERE);
  return [...found];
}

/** By the name servers alone, never by this machine's hosts file or search domains. */
async function resolveName(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const none = (error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENODATA" || error.code === "ENOTFOUND") return [];
    throw new Refused(NOWHERE);
  };
  const [four, six] = await Promise.all([
    resolver.resolve4(hostname).catch(none),
    resolver.resolve6(hostname).catch(none),
  ]);
  return [...four, ...six];
}

function ask(
  url: URL,
  addresses: readonly string[],
  headers: Readonly<Record<string, string>>,
  content: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const judged = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup = ((_name: string, { all }: { all?: boolean }, done: (...found: unknown[]) => void) => {
    if (all) done(null, judged);
    else done(null, judged[0]?.address, judged[0]?.family);
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
    // Nobody asked for another protocol: a connection that was switched is never closed by itself.
    request.on("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new Refused(NOT_HTTP));
    });
    request.on("error", reject);
    request.end(content);
  });
}

/** Bytes of an answer that are read for their text; what follows is not waited for. */
const READ_BYTES = 8_192;

async function readBody(
  answer: IncomingMessage,
  signal: AbortSignal,
  keep: (text: string | null) => void,
  characters: number,
): Promise<void> {
  const parts: Buffer[] = [];
  let size = 0;
  const stop = () => answer.destroy(new Error("out of time"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size >= READ_BYTES) break;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    answer.destroy();
    keep(isText(answer) ? textOf(Buffer.concat(parts), characters) : null);
  }
}

function isText({ headers }: IncomingMessage): boolean {
  const encoding = headers["content-encoding"] ?? "identity";
  const type = headers["content-type"] ?? "text/plain";
  return encoding === "identity" && /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i.test(type);
}

/** What can be stored and shown: UTF-8 with its faults replaced, line breaks kept, other control characters removed. */
function textOf(bytes: Buffer, characters: number): string | null {
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n");
  const plain = text.replace(/[\p{Cc}\p{Cs}]/gu, (one) => (one === "\n" || one === "\t" ? one : ""));
  // Never half a pair.
  return plain ? plain.slice(0, characters).replace(/[\uD800-\uDBFF]$/u, "") : null;
}

const NOT_HTTP = "The answer was not HTTP.";

function sentenceOf(error: NodeJS.ErrnoException): string {
  if (error instanceof Refused) return error.message;
  const code = error.code ?? "";
  if (code.startsWith("HPE_")) return NOT_HTTP;
  if (/CERT|ERR_TLS|ERR_SSL|EPROTO/.test(code)) return "No secure connection: the certificate or TLS was not accepted.";
  if (code === "ECONNRESET" || code === "EPIPE") return "The connection was closed before the answer was complete.";
  return "No connection could be made.";
}

/** A promise, or the end of its time, whichever is first. */
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
