import { type ErrorCode, messageOfErrorCode } from "#schema/error-codes.ts";
import { exampleIds } from "#api/platform/http/route-examples.ts";

/** Builds the content of a JSON body with a schema and an example. */
export const json = (schema: object, example?: unknown) => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

const refusal = {
  type: "object",
  title: "Refusal",
  properties: {
    Message: { type: "string" },
    requestId: { type: "string", description: "The `x-request-id` of the request, or a new UUID" },
    code: {
      type: "string",
      enum: ["step_up_required", "network_not_allowed"],
      description:
        "`step_up_required` if the call needs `POST /v1/core/auth/prove` first; `network_not_allowed` if the personal access token isn't accepted from the caller's address",
    },
  },
  required: ["Message", "requestId"],
};

const descriptionOfErrorCode: Readonly<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: "Authentication is required, or the token is invalid or expired.",
  FORBIDDEN: "The caller doesn't have permission for this call.",
  STEP_UP_REQUIRED:
    "The caller doesn't have permission for this call, or, with the `code` `step_up_required`, has to prove their identity first.",
  BAD_USER_INPUT: "Fields are missing or invalid. The body lists the error messages of each field.",
  NOT_FOUND: "The id is unknown or malformed, or belongs to another account.",
  CONFLICT: "The request conflicts with the current state. `Message` gives the reason.",
  REQUEST_TIMEOUT:
    "The request body took longer than 15 seconds to arrive, or an upload took longer than its size allows.",
  PAYLOAD_TOO_LARGE: "The request body is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The content type is not supported.",
  UNPROCESSABLE: "The request is valid but can't be completed, for example because the card was declined.",
  RATE_LIMITED: "Too many requests. `Retry-After` gives the number of seconds to wait.",
  UNAVAILABLE: "The service is temporarily unavailable. Try again later.",
  INTERNAL: "An internal error occurred. Quote the `requestId` when you contact support.",
};

const fieldFaults = {
  type: "object",
  title: "FieldFaults",
  description: "Error messages by field name. `body` refers to the whole request body",
  additionalProperties: { type: "array", items: { type: "string" } },
};

/** Builds the response for an error code (docs/domain.md#errors). */
export function buildErrorResponse(code: ErrorCode, refer: (schema: object) => object): object {
  const sentence = messageOfErrorCode[code];
  const content =
    code === "BAD_USER_INPUT"
      ? json(refer(fieldFaults), { email: ["Email is required."] })
      : code === "NOT_FOUND"
        ? json({ type: "string" }, sentence)
        : json(refer(refusal), {
            Message: sentence,
            ...(code === "STEP_UP_REQUIRED" ? { code: "step_up_required" } : {}),
            requestId: exampleIds.other,
          });
  const retryAfter = { "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } } };
  return {
    description: descriptionOfErrorCode[code],
    ...(code === "RATE_LIMITED" ? { headers: retryAfter } : {}),
    content,
  };
}

/** Returns the description of an error code's response. */
export function describeErrorCode(code: ErrorCode): string {
  return descriptionOfErrorCode[code];
}
