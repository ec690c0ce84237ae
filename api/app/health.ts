import type { FastifyInstance } from "fastify";
import type { Services } from "#api/platform/context.ts";
import { compareWithDatabase, describeSkew, isTooMuchSkew } from "#api/platform/database-clock.ts";

/**
 * Serves `/health/live`: the process runs; and `/health/ready`: it should receive traffic, which it should not while the
 * database is away or the clocks of the two disagree.
 */
export function serveHealth(app: FastifyInstance, services: Services): void {
  app.get("/health/live", async () => ({ status: "live" }));
  app.get("/health/ready", async (_request, reply) => {
    const comparison = await compareWithDatabase(services).catch(() => null);
    if (!comparison) return reply.code(503).header("retry-after", "5").send({ status: "database away" });
    const { skewMs } = comparison;
    if (!isTooMuchSkew(skewMs)) return { status: "ready" };
    const skewSeconds = Math.round(skewMs / 1_000);
    return reply
      .code(503)
      .header("retry-after", "60")
      .send({ status: "clock skew", reason: describeSkew(skewMs), skewSeconds });
  });
}
