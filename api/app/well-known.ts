import type { FastifyInstance } from "fastify";
import { brand } from "#schema/brand.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Services } from "#api/platform/context.ts";

/** Time until a fetched `security.txt` should be fetched again, in milliseconds. */
const VALID_MS = 180 * DAY;

/** Serves the addresses below `/.well-known/` that programs look for (RFC 8615). */
export function serveWellKnown(app: FastifyInstance, { config, clock }: Services): void {
  // RFC 9116
  app.get("/.well-known/security.txt", (_request, reply) =>
    reply
      .type("text/plain; charset=utf-8")
      .send(
        [
          `Contact: mailto:${brand.mailboxes.support.email}`,
          `Expires: ${addMilliseconds(clock.now(), VALID_MS).toISOString()}`,
          "Preferred-Languages: en",
          `Canonical: ${config.publicUrl}/.well-known/security.txt`,
          "",
        ].join("\n"),
      ),
  );
  // Password managers open it: https://w3c.github.io/webappsec-change-password-url/
  app.get("/.well-known/change-password", (_request, reply) => reply.redirect("/change-password/"));
}
