import { type ErrorReason, refusalCodes, TWO_STEP_REQUIRED, VIEW_ONLY } from "#schema/error-codes.ts";
import { NetworkFailure, ServerError } from "./server-error.ts";
import { sendWithSession } from "./refresh-session.ts";
import { NOT_PROVED, sendWithProof } from "./step-up.ts";
import { handleForbidden } from "./handle-forbidden.ts";
import { getRestMessage } from "./post-graphql.ts";

/** Options for a REST call other than a plain GET. */
export interface CallOptions {
  /** Body, sent with POST: a file or text, with its content type. */
  readonly body?: { readonly content: Blob | string; readonly type: string };
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls a REST endpoint as the signed-in user, for content that GraphQL can't carry, such as a file. After a 401, refreshes
 * the session and repeats the call once. Without a recent proof of identity, opens the dialog and repeats the call after the
 * proof. Any other 403 opens the same page as GraphQL's FORBIDDEN. If no response arrives, the user
 * stays on the page and the caller shows the failure.
 * @throws ServerError with the API's messages, or NetworkFailure if no response arrived
 */
export async function fetchFromApi(path: string, accept: string, options: CallOptions = {}): Promise<Response> {
  const answer = await sendWithProof(
    () =>
      sendWithSession(
        (token) => fetchOnce(path, accept, token, options),
        ({ status }) => status === 401,
      ),
    needsProof,
  );
  if (answer.ok) return answer;
  if (await needsProof(answer)) throw new ServerError([{ message: NOT_PROVED }]);
  const json: unknown = await answer.json().catch(() => null);
  const message = getRestMessage(json);
  if (answer.status === 403) handleForbidden(reasonIn(message));
  const isInvalid = answer.status === 400 && message === "";
  throw new ServerError([{ message, ...(isInvalid ? { extensions: { code: "BAD_USER_INPUT", fields: json } } : {}) }]);
}

/** Returns whether a call was refused without a recent proof of identity. Leaves the body unread. */
async function needsProof(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return false;
  const json = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: unknown } | null;
  return json?.code === refusalCodes.stepUp;
}

/** Derives the reason from the message, because REST errors have no field for it. */
function reasonIn(message: string): ErrorReason | null {
  if (message === VIEW_ONLY) return "VIEW_ONLY";
  return message === TWO_STEP_REQUIRED ? "SET_UP_TWO_STEP" : null;
}

async function fetchOnce(path: string, accept: string, token: string | null, { body, signal }: CallOptions) {
  try {
    return await fetch(path, {
      headers: {
        Accept: accept,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
        ...(body ? { "Content-Type": body.type } : {}),
      },
      ...(body ? { method: "POST", body: body.content } : {}),
      signal: signal ?? null,
    });
  } catch (cause) {
    throw new NetworkFailure("The server didn't respond.", { cause });
  }
}
