import { AsyncLocalStorage } from "node:async_hooks";
import type { Config } from "#api/platform/config.ts";

/** Values of a span's attributes. They never contain personal data or secrets. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = "server" | "client" | "producer" | "consumer" | "internal";

/** One step of a trace, such as a request or an SQL statement. */
export interface Span {
  /** W3C `traceparent` of the span. */
  readonly traceparent: string;
  set(attributes: SpanAttributes): void;
  /** Ends the span. With an error, the span counts as failed; only the error's type and code are recorded. */
  end(error?: unknown): void;
}

export interface Tracer {
  /** Starts a span below a parent: another span, or the `traceparent` of another process. */
  startSpan(name: string, kind: SpanKind, attributes: SpanAttributes, parent: Span | string | null): Span;
  /** Sends the spans that are waiting. */
  close(): Promise<void>;
}

/** The current span of a request or job. Mutable, because plugins can't run the rest of a request inside a callback. */
export interface Trace {
  span: Span | null;
}

let tracer: Tracer | null = null;
const traces = new AsyncLocalStorage<Trace>();

/** Starts tracing if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. The packages are loaded only then. */
export async function startTracing({ operations }: Pick<Config, "operations">): Promise<void> {
  if (!operations.tracesUrl) return;
  const { createOtlpTracer, traceOutgoingRequests } = await import("./otlp-tracer.ts");
  tracer = createOtlpTracer(operations.tracesUrl);
  traceOutgoingRequests();
}

/** Sends the spans that are waiting and stops tracing. */
export async function stopTracing(): Promise<void> {
  // Without its collector, a process stops all the same.
  await tracer?.close().catch(() => {});
  tracer = null;
}

/** Returns whether the process records traces. */
export function isTracing(): boolean {
  return tracer !== null;
}

/** Returns the `traceparent` of the current span; undefined outside a trace. */
export function getTraceparent(): string | undefined {
  return traces.getStore()?.span?.traceparent;
}

/** Returns the trace ID of a `traceparent`. */
export function getTraceId(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** Returns a `traceparent` if it has the format of version 00 and isn't zero; otherwise undefined. */
export function parseTraceparent(header: unknown): string | undefined {
  const isValid = typeof header === "string" && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/.test(header);
  return isValid ? header : undefined;
}

/** Starts a trace for a request or job; null without a tracer. Run its work with {@link runInTrace}. */
export function startTrace(
  name: string,
  kind: SpanKind,
  attributes: SpanAttributes,
  parent: string | undefined,
): Trace | null {
  return tracer && { span: tracer.startSpan(name, kind, attributes, parent ?? null) };
}

/** Runs work in a trace, so that its statements and calls become part of it. */
export function runInTrace<Result>(trace: Trace | null, work: () => Result): Result {
  return trace ? traces.run(trace, work) : work();
}

/** Starts a span below the current one. Returns null without a tracer or outside a trace. */
export function startSpan(name: string, kind: SpanKind, attributes: SpanAttributes = {}): Span | null {
  const parent = tracer && traces.getStore()?.span;
  return tracer && parent ? tracer.startSpan(name, kind, attributes, parent) : null;
}

/** Makes a new span the current one of its trace until the returned function ends it. */
export function enterSpan(name: string, attributes: SpanAttributes): (error?: unknown) => void {
  const trace = traces.getStore();
  const span = startSpan(name, "internal", attributes);
  if (!trace || !span) return () => {};
  const outer = trace.span;
  trace.span = span;
  return (error) => {
    trace.span = outer;
    span.end(error);
  };
}

/** Runs work as a span of the current trace. Its statements and calls are below the current span, not below this one. */
export async function traced<Result>(
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, "client", attributes);
  if (!span) return work();
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
