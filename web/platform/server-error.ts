import type { ErrorCode, FieldErrors } from "#schema/error-codes.ts";

/** An answer of the api that says no. Apollo's own errors are read by the same functions below. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly errors: readonly GraphQLProblem[];

  constructor(errors: readonly GraphQLProblem[]) {
    super(errors[0]?.message ?? "");
    this.errors = errors;
  }
}

/** No answer came: the connection dropped, or something before the api refused. */
export class NetworkFailure extends Error {
  override readonly name = "NetworkFailure";
}

/** Returns true if the request was cancelled, as when its page was left. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** One entry of a GraphQL answer's `errors`. */
export interface GraphQLProblem {
  message: string;
  extensions?: { code?: unknown; fields?: unknown; [name: string]: unknown };
}

/** The GraphQL problems an error carries; none for other errors. */
export function problemsOf(error: unknown): readonly GraphQLProblem[] {
  const list = (error as { errors?: unknown } | null | undefined)?.errors;
  return Array.isArray(list) ? (list as GraphQLProblem[]) : [];
}

/** Code of the first problem, or null when no answer of the api stands behind the error. */
export function codeOf(error: unknown): ErrorCode | null {
  const code = problemsOf(error)[0]?.extensions?.code;
  return typeof code === "string" ? (code as ErrorCode) : null;
}

/** Why the code was given, where the api says so. */
export function reasonOf(error: unknown): unknown {
  return problemsOf(error)[0]?.extensions?.reason;
}

/** Field name → its sentences, as the api named them in `extensions.fields`. */
export function fieldErrorsOf(error: unknown): FieldErrors {
  const fields = problemsOf(error).find((problem) => problem.extensions?.fields)?.extensions?.fields;
  if (typeof fields !== "object" || fields === null) return {};
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, messages]) => {
      const sentences = (Array.isArray(messages) ? messages : [messages]).filter((one) => typeof one === "string");
      return sentences.length > 0 ? [[name, sentences]] : [];
    }),
  );
}

/** Sentences that say nothing a fallback would not say better. */
const nothingSaid: readonly string[] = ["", "Oops, something went wrong.", "Internal server error"];

/** Message for an error that carries no text, where the call has no message of its own. */
const NOTHING_SAID = "Oops, something went wrong. Check the console logs for details.";

/** Errors the console has already, as a page asks for the sentence at each render. */
const logged = new WeakSet<object>();

/**
 * Returns the message to show: the server's own where it gave one, else `fallback` (docs/domain.md#messages).
 * Without any answer of the api only the fallback stays.
 */
export function messageOf(error: unknown, fallback: string = NOTHING_SAID): string {
  const problem = problemsOf(error)[0];
  if (problem && !nothingSaid.includes(problem.message.trim())) return problem.message;
  if (fallback !== NOTHING_SAID) return fallback;
  // The sentence sends its reader to the console.
  // oxlint-disable-next-line no-console
  if (typeof error !== "object" || error === null || !logged.has(error)) console.error(error, problem?.extensions);
  if (typeof error === "object" && error !== null) logged.add(error);
  return fallback;
}
