import type { FastifyInstance } from "fastify";
import type { Services } from "./platform/context.ts";
import { isDatabaseUp } from "./platform/database.ts";

/** `/health/live`: the process runs. `/health/ready`: it can answer questions (RUNNING). */
export function serveHealth(app: FastifyInstance, services: Services): void {
  app.get("/health/live", async () => ({ status: "live" }));
  app.get("/health/ready", async (_request, reply) => {
    if (await isDatabaseUp(services.pool)) return { status: "ready" };
    return reply.code(503).header("retry-after", "5").send({ status: "database away" });
  });
}
