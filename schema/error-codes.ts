/**
 * All error codes with their HTTP status, used in both GraphQL and REST (docs/domain.md#errors). Negative business
 * results, such as no available seat, are data and not errors.
 */
export const statusOfErrorCode = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  STEP_UP_REQUIRED: 403,
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

/** A value of `extensions.code`. */
export type ErrorCode = keyof typeof statusOfErrorCode;

/**
 * Reason for an error that clients handle specially. SET_UP_TWO_STEP: an admin must set up two-step sign-in first.
 * VIEW_ONLY: an admin views the portal as a customer and can't change anything. STALE_REVISION: another user changed
 * the object after the form was loaded. REQUEST_KEY_USED: a request with the same key and other content was handled before.
 * SCOPE_MISSING: the personal access token lacks a scope. SESSION_ONLY: personal
 * access tokens can't be used for this operation. NETWORK_NOT_ALLOWED: the personal access token isn't accepted from the caller's
 * address. PERSISTED_QUERY_NOT_FOUND: the client must send the operation's text
 * instead of its hash. OPERATION_NOT_KNOWN: the server only accepts the portal's own operations.
 */
export type ErrorReason =
  | "SET_UP_TWO_STEP"
  | "VIEW_ONLY"
  | "STALE_REVISION"
  | "REQUEST_KEY_USED"
  | "SCOPE_MISSING"
  | "SESSION_ONLY"
  | "NETWORK_NOT_ALLOWED"
  | "PERSISTED_QUERY_NOT_FOUND"
  | "OPERATION_NOT_KNOWN";

/** `code` of a 403 in REST: the client has to prove the user's identity (decision 0059), or is outside its token's networks. */
export const refusalCodes = { stepUp: "step_up_required", network: "network_not_allowed" } as const;

/** Message for admins who must set up two-step sign-in first. */
export const TWO_STEP_REQUIRED = "Admins sign in in two steps here. Please set up two-step sign-in first.";

/** Message for admins who try to change something while viewing the portal as a customer. */
export const VIEW_ONLY = "You are viewing the portal as this customer; nothing can be changed.";

/** Returns the message for a personal access token that lacks scopes. */
export function describeMissingScopes(scopes: readonly string[]): string {
  const names = scopes.map((scope) => `"${scope}"`).join(" and ");
  return `This personal access token lacks the ${scopes.length > 1 ? "scopes" : "scope"} ${names}.`;
}

/** Message for personal access tokens used for an operation that needs a session. */
export const SESSION_ONLY = "Personal access tokens can't be used for this operation. Sign in to the portal instead.";

/** Message for a personal access token that is used outside its networks. */
export const NETWORK_NOT_ALLOWED = "This personal access token isn't accepted from your network.";

/** Error messages by field name. */
export type FieldErrors = Record<string, string[]>;

/** Default message of each error code. */
export const messageOfErrorCode: Record<ErrorCode, string> = {
  UNAUTHENTICATED: "Please sign in to continue.",
  FORBIDDEN: "Unable to access page.",
  STEP_UP_REQUIRED: "Please prove your identity first.",
  BAD_USER_INPUT: "Some of the values sent are missing or not valid.",
  NOT_FOUND: "Sorry, we could not find what you asked for.",
  CONFLICT: "This was changed in the meantime. Please reload and try again.",
  REQUEST_TIMEOUT: "The request took too long to arrive. Please try again.",
  PAYLOAD_TOO_LARGE: "The request is too large.",
  UNSUPPORTED_MEDIA_TYPE: "Please send JSON (content type application/json).",
  UNPROCESSABLE: "The request is valid but can't be processed.",
  RATE_LIMITED: "Too many attempts. Please wait a little and try again.",
  UNAVAILABLE: "The service is temporarily unavailable. Please try again in a moment.",
  INTERNAL: "Oops, something went wrong.",
};
