import { Counter, Histogram, Registry } from "prom-client";

/** Metrics that the process counts as it works. They cost about a microsecond, so they are always counted. */
export const countedMetrics = new Registry();

const registers = [countedMetrics];

/** Upper bounds in seconds. They include the product's time limits: 0.5 s, 2 s and 5 s. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10];

/** Rate, errors and duration of requests by route. `route` is the pattern, because addresses can contain secrets. */
export const requestDuration = new Histogram({
  name: "portal_http_request_duration_seconds",
  help: "Duration of HTTP requests by method, route pattern and status.",
  labelNames: ["method", "route", "status"] as const,
  buckets,
  registers,
});

export const graphqlDuration = new Histogram({
  name: "portal_graphql_operation_duration_seconds",
  help: "Duration of GraphQL operations by name and outcome (ok, refused, failed). Only names of the portal's operations are used; others are `other`.",
  labelNames: ["operation", "outcome"] as const,
  buckets,
  registers,
});

export const jobDuration = new Histogram({
  name: "portal_job_duration_seconds",
  help: "Duration of background jobs by queue and outcome (completed, failed).",
  labelNames: ["queue", "outcome"] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
  registers,
});

export const sweepDuration = new Histogram({
  name: "portal_sweep_duration_seconds",
  help: "Duration of periodic sweeps by name and outcome (completed, failed).",
  labelNames: ["sweep", "outcome"] as const,
  buckets: [0.01, 0.1, 1, 10, 60, 300],
  registers,
});

export const batchRows = new Histogram({
  name: "portal_batch_rows",
  help: "Rows in one batched statement.",
  labelNames: ["statement"] as const,
  buckets: [1, 2, 5, 10, 25, 50, 100],
  registers,
});

export const batchDuration = new Histogram({
  name: "portal_batch_duration_seconds",
  help: "Duration of batched statements.",
  labelNames: ["statement"] as const,
  buckets,
  registers,
});

/** Counts the security events that this process recorded, such as `sign-in.failed`. */
export const securityEvents = new Counter({
  name: "portal_security_events_total",
  help: "Security events by type.",
  labelNames: ["type"] as const,
  registers,
});

export const signInFailures = new Counter({
  name: "portal_sign_in_failures_total",
  help: "Failed sign-ins, including those refused because of a lock.",
  registers,
});

export const providerRefusals = new Counter({
  name: "portal_payment_provider_refusals_total",
  help: "Calls that the payment provider refused because of our key (401 or 403).",
  registers,
});

export const replicaFallbacks = new Counter({
  name: "portal_replica_fallbacks_total",
  help: "Reads that used the primary instead of the replica, by reason (away, lag, conflict).",
  labelNames: ["reason"] as const,
  registers,
});
