import type { ErrorCode, FieldErrors } from "#schema/error-codes.ts";

/** Error response from the API. The functions below accept Apollo's errors, too. */
export class ServerError extends Error {
  override readonly name = "ServerError";
  readonly errors: readonly GraphQLProblem[];

  constructor(errors: readonly GraphQLProblem[], options?: ErrorOptions) {
    super(errors[0]?.message ?? "", options);
    this.errors = errors;
  }
}

/** Error thrown when no response from the API arrived: the connection failed, or a proxy rejected the request. */
export class NetworkFailure extends Error {
  override readonly name = "NetworkFailure";
}

/** Returns true if the request was cancelled, for example because the user left the page. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** An entry in `errors` of a GraphQL response. */
export interface GraphQLProblem {
  message: string;
  /** Field of the response. Missing if the document is at fault. */
  path?: readonly (string | number)[];
  extensions?: { code?: unknown; fields?: unknown; [name: string]: unknown };
}

/** Returns the GraphQL errors that an error carries, or an empty list. */
export function getProblems(error: unknown): readonly GraphQLProblem[] {
  const list = (error as { errors?: unknown } | null | undefined)?.errors;
  return Array.isArray(list) ? (list as GraphQLProblem[]) : [];
}

/** Returns the code of the first GraphQL error, or null if the error isn't a response from the API. */
export function getErrorCode(error: unknown): ErrorCode | null {
  const code = getProblems(error)[0]?.extensions?.code;
  return typeof code === "string" ? (code as ErrorCode) : null;
}

/** Returns the `reason` next to the error code, if the API sends one. */
export function getErrorReason(error: unknown): unknown {
  return getProblems(error)[0]?.extensions?.reason;
}

/** Returns the messages by field name, from `extensions.fields`. */
export function getFieldErrors(error: unknown): FieldErrors {
  const fields = getProblems(error).find((problem) => problem.extensions?.fields)?.extensions?.fields;
  if (typeof fields !== "object" || fields === null) return {};
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, messages]) => {
      const sentences = (Array.isArray(messages) ? messages : [messages]).filter((one) => typeof one === "string");
      return sentences.length > 0 ? [[name, sentences]] : [];
    }),
  );
}

/** Messages that are less helpful than a fallback. */
const emptyMessages: readonly string[] = ["", "Oops, something went wrong.", "Internal server error"];

/** Fallback for calls that don't provide one. */
const DEFAULT_MESSAGE = "Oops, something went wrong. Check the console logs for details.";

/** Errors that have been logged. A page may format the same error on each render. */
const logged = new WeakSet<object>();

/**
 * Returns the message to show: what the API says about the fields, or its message if there is one, otherwise `fallback`
 * (docs/domain.md#messages).
 */
export function formatError(error: unknown, fallback: string = DEFAULT_MESSAGE): string {
  const sentences = new Set(Object.values(getFieldErrors(error)).flat());
  if (sentences.size > 0 && getErrorCode(error) !== null) return [...sentences].join(" ");
  const problem = getProblems(error)[0];
  if (problem && !emptyMessages.includes(problem.message.trim())) return problem.message;
  if (fallback !== DEFAULT_MESSAGE) return fallback;
  // The message refers users to the console.
  // oxlint-disable-next-line no-console
  if (typeof error !== "object" || error === null || !logged.has(error)) console.error(error, problem?.extensions);
  if (typeof error === "object" && error !== null) logged.add(error);
  return fallback;
}

/** Waits for the end of something. Returns true if it had ended before, for example in another tab. */
export async function acceptGone(ending: Promise<unknown>): Promise<boolean> {
  try {
    await ending;
    return false;
  } catch (error) {
    if (getErrorCode(error) !== "NOT_FOUND") throw error;
    return true;
  }
}
