import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "#api/platform/context.ts";
import {
  type ClockComparison,
  compareClockWithDatabase,
  describeSkew,
  isSkewTooLarge,
} from "#api/platform/database/database-clock.ts";
import { AppError } from "#api/platform/errors.ts";

/**
 * Longest time in milliseconds that `/health/ready` waits for the database's clock. A load balancer's check must get its
 * answer even while the database hangs.
 */
const READY_WAIT_MS = 500;

const callPaths = /^\/(?:graphql|v1|software|dev)(?:[/?]|$)/i;

/** Returns whether a request needs the database, in contrast to pages and health checks. */
export function isCall(request: FastifyRequest): boolean {
  return callPaths.test(getRoutedPath(request));
}

/**
 * Returns the path of a request's route, which the router also finds for a URL with escapes, such as `/%76%31/plans`; without
 * a route of its own, the URL.
 */
export function getRoutedPath({ routeOptions, url }: FastifyRequest): string {
  return routeOptions.url === undefined || routeOptions.url === "/*" ? url : routeOptions.url;
}

/**
 * Serves `/health/live` (the process is running), `/health/ready` (the process should receive traffic) and
 * `/health/database` (the database responds and accepts writes). A process stays ready while the database is unavailable,
 * because it still serves pages and answers calls with 503. It isn't ready while it starts or drains, or while its clock
 * differs too much from the database's.
 */
export function serveHealth(app: FastifyInstance, services: Services): void {
  app.get("/health/live", async () => ({ status: "live" }));
  app.get("/health/ready", async (_request, reply) => {
    const { phase } = services.lifecycle;
    if (phase === "starting" || phase === "draining") return refuse(reply, 5, { status: phase });
    const state = await Promise.race([compareSafely(services), sleep(READY_WAIT_MS, null, { ref: false })]);
    if (state === null || !isSkewTooLarge(state.skewMs)) return { status: "ready" };
    const { skewMs } = state;
    const skewSeconds = Math.round(skewMs / 1_000);
    return refuse(reply, 60, { status: "clock skew", reason: describeSkew(skewMs), skewSeconds });
  });
  app.get("/health/database", async (_request, reply) => {
    const state = await compareSafely(services);
    if (state === null) return refuse(reply, 5, { status: "database away" });
    return state.isReadOnly ? refuse(reply, 5, { status: "database read-only" }) : { status: "database ready" };
  });
}

/** Answers calls with 503 until the process has connected to the database. Pages and health checks are served. */
export function refuseCallsWhileStarting(app: FastifyInstance, services: Services): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const isRefused = !services.lifecycle.hasStarted && isCall(request);
    done(isRefused ? new AppError("UNAVAILABLE", { retryAfterSeconds: 5 }) : undefined);
  });
}

/** Closes kept-alive connections while the process drains, so that clients open their next one to another process. */
export function closeConnectionsWhileDraining(app: FastifyInstance, services: Services): void {
  app.addHook("onSend", (_request, reply, _payload, done) => {
    const { phase } = services.lifecycle;
    if (phase === "draining" || phase === "leaving") reply.header("connection", "close");
    done();
  });
}

function refuse(reply: FastifyReply, retryAfterSeconds: number, body: object): FastifyReply {
  return reply.code(503).header("retry-after", String(retryAfterSeconds)).send(body);
}

/** Returns the database's time and state; null while it is unavailable. */
function compareSafely(services: Services): Promise<ClockComparison | null> {
  return compareClockWithDatabase(services).catch(() => null);
}
