import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "#api/platform/config.ts";
import { badInput } from "#api/platform/errors.ts";
import { isLoopbackHost } from "#api/platform/http/external-addresses.ts";

/** Longest value of each header that is parsed, in characters. Parsers of longer values could take long. */
const parsedHeaders = {
  accept: 1_000,
  "accept-encoding": 200,
  "accept-language": 500,
  "content-type": 500,
  range: 200,
  traceparent: 100,
  "user-agent": 500,
};

/**
 * Cuts long headers before anything parses them, and refuses requests with more than one `Host`. Outside production, a
 * request for another host than this machine or `PUBLIC_URL` is refused, so that a web page can't reach a developer's
 * server under another name.
 */
export function cleanHeaders(app: FastifyInstance, { production, publicUrl }: Config): void {
  const ownHost = new URL(publicUrl).hostname;
  const lengths = Object.entries(parsedHeaders);
  app.addHook("onRequest", (request, _reply, done) => {
    for (const [name, length] of lengths) {
      const value = request.headers[name];
      if (typeof value === "string" && value.length > length) request.headers[name] = value.slice(0, length);
    }
    const host = request.hostname.toLowerCase();
    const isOwn = production || host === ownHost || isLoopbackHost(host);
    done(countHosts(request) > 1 || !isOwn ? badInput({ host: [NOT_OURS] }) : undefined);
  });
}

const NOT_OURS = "This server doesn't answer for this host.";

/** Counts the `Host` headers in the raw headers, because `headers` has only the first one. */
function countHosts({ raw: { rawHeaders } }: FastifyRequest): number {
  let count = 0;
  // Names and values alternate.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}
