/**
 * The closed list of error codes, the same in GraphQL and REST (docs/domain.md#errors).
 * A negative business answer ("no seat free") is data and never stands here.
 */
export const errorCodes = [
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "BAD_USER_INPUT",
  "NOT_FOUND",
  "CONFLICT",
  "REQUEST_TIMEOUT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "UNPROCESSABLE",
  "RATE_LIMITED",
  "UNAVAILABLE",
  "INTERNAL",
] as const;

/** One of the codes that `extensions.code` may carry. */
export type ErrorCode = (typeof errorCodes)[number];

/**
 * Says why a code was given, where a program has to tell: an admin without two-step sign-in is led to its set-up; one who
 * views the portal as a customer is told that nothing can be changed, and stays where they are; a form that began before
 * somebody else's change shows both values; a program with a personal access token is told that the token lacks a scope, or
 * that no token may do this; an operation is sent by its text where the server does not know its hash.
 */
export type ErrorReason =
  | "SET_UP_TWO_STEP"
  | "VIEW_ONLY"
  | "STALE_REVISION"
  | "SCOPE_MISSING"
  | "SESSION_ONLY"
  | "PERSISTED_QUERY_NOT_FOUND"
  | "OPERATION_NOT_KNOWN";

/** What such an admin reads. */
export const TWO_STEP_FIRST = "Admins sign in in two steps here. Please set up two-step sign-in first.";

/** What an admin reads who tries to change something while viewing the portal as a customer. */
export const VIEW_ONLY = "You are viewing the portal as this customer; nothing can be changed.";

/** What a program reads whose personal access token does not reach so far; the message names what is missing. */
export function scopeMissing(scopes: readonly string[]): string {
  const names = scopes.map((scope) => `"${scope}"`).join(" and ");
  return `This personal access token lacks the ${scopes.length > 1 ? "scopes" : "scope"} ${names}.`;
}

/** What a program reads that tries with a personal access token what only somebody who is signed in may do. */
export const SESSION_ONLY = "Personal access tokens may not do this. Please sign in to the portal.";

/** Field name → the sentences shown under that field. */
export type FieldErrors = Record<string, string[]>;

/** HTTP status of each code; a missing entry does not compile. */
export const statusOfErrorCode: Record<ErrorCode, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  BAD_USER_INPUT: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE: 422,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** The sentence a person reads when the thrower gave none. */
export const sentenceOfErrorCode: Record<ErrorCode, string> = {
  UNAUTHENTICATED: "Please sign in to continue.",
  FORBIDDEN: "Unable to access page.",
  BAD_USER_INPUT: "Some of the values sent are missing or not valid.",
  NOT_FOUND: "Sorry, we could not find what you asked for.",
  CONFLICT: "This was changed in the meantime. Please reload and try again.",
  REQUEST_TIMEOUT: "The request took too long to arrive. Please try again.",
  PAYLOAD_TOO_LARGE: "That is more than we can accept in one request.",
  UNSUPPORTED_MEDIA_TYPE: "Please send JSON (content type application/json).",
  UNPROCESSABLE: "We understood the request but cannot carry it out.",
  RATE_LIMITED: "Too many attempts. Please wait a little and try again.",
  UNAVAILABLE: "The service is temporarily unavailable. Please try again in a moment.",
  INTERNAL: "Oops, something went wrong.",
};
