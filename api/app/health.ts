import type { FastifyInstance } from "fastify";
import type { Services } from "#api/platform/context.ts";
import { compareClockWithDatabase, describeSkew, isSkewTooLarge } from "#api/platform/database-clock.ts";

/**
 * Serves `/health/live` (the process is running) and `/health/ready` (the process should receive traffic). A process
 * isn't ready while the database is unavailable or its clock differs too much from the process's clock.
 */
export function serveHealth(app: FastifyInstance, services: Services): void {
  app.get("/health/live", async () => ({ status: "live" }));
  app.get("/health/ready", async (_request, reply) => {
    const comparison = await compareClockWithDatabase(services).catch(() => null);
    if (!comparison) return reply.code(503).header("retry-after", "5").send({ status: "database away" });
    const { skewMs } = comparison;
    if (!isSkewTooLarge(skewMs)) return { status: "ready" };
    const skewSeconds = Math.round(skewMs / 1_000);
    return reply
      .code(503)
      .header("retry-after", "60")
      .send({ status: "clock skew", reason: describeSkew(skewMs), skewSeconds });
  });
}
