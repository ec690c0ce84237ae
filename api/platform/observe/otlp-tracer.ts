import { trimEnd } from "#schema/clean-text.ts";
import { context, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";
import { type Span, startSpan, type Tracer } from "./tracing.ts";

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/**
 * Creates the tracer that sends spans over OTLP/HTTP. While the collector is unavailable, spans are dropped and nothing
 * else is affected.
 * @param url base URL of the collector, or the full URL of its traces
 */
export function createOtlpTracer(url: string): Tracer {
  const base = trimEnd(url, "/");
  const exporter = new OTLPTraceExporter({ url: base.endsWith("/v1/traces") ? base : `${base}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": "portal" }),
    spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer("portal");
  return {
    startSpan(name, kind, attributes, parent) {
      const traceparent = typeof parent === "string" ? parent : parent?.traceparent;
      const from = traceparent
        ? trace.setSpanContext(context.active(), parseSpanContext(traceparent))
        : context.active();
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, from);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
        set: (more) => span.setAttributes({ ...more }),
        end(error) {
          if (error !== undefined) {
            span.setAttribute("error.type", describeError(error));
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
    close: () => provider.shutdown(),
  };
}

function parseSpanContext(traceparent: string) {
  const [, traceId = "", spanId = "", flags = "01"] = traceparent.split("-");
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** Returns the code or class of an error. Its message may contain personal data. */
function describeError(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return [code, name].find((one) => typeof one === "string") ?? "error";
}

/**
 * Records the outgoing HTTP requests of traces: webhooks, payment provider, address provider and bucket. The path isn't
 * recorded, because it can contain secrets.
 */
export function traceOutgoingRequests(): void {
  const spans = new WeakMap<object, Span>();
  const start = (request: object, method: string, host: string): void => {
    const span = startSpan(`${method} ${host}`, "client", { "http.request.method": method, "server.address": host });
    if (span) spans.set(request, span);
  };
  const end = (request: object, status: number): void => {
    const span = spans.get(request);
    span?.set({ "http.response.status_code": status });
    span?.end(status >= 500 ? { code: String(status) } : undefined);
  };
  subscribe("http.client.request.start", (message) => {
    const { request } = message as { request: ClientRequest };
    start(request, request.method, request.host);
  });
  subscribe("http.client.response.finish", (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    end(request, response.statusCode ?? 0);
  });
  subscribe("http.client.request.error", (message) => {
    const { request, error } = message as { request: ClientRequest; error: unknown };
    spans.get(request)?.end(error);
  });
  subscribe("undici:request:create", (message) => {
    const { request } = message as { request: { method: string; origin: string } };
    start(request, request.method, new URL(request.origin).hostname);
  });
  subscribe("undici:request:headers", (message) => {
    const { request, response } = message as { request: object; response: { statusCode: number } };
    end(request, response.statusCode);
  });
  subscribe("undici:request:error", (message) => {
    const { request, error } = message as { request: object; error: unknown };
    spans.get(request)?.end(error);
  });
}
