import type { TypedDocumentNode } from "@apollo/client";
import { getErrorCode, NetworkFailure, getErrorReason, ServerError } from "./server-error.ts";
import { buildMultipartBody } from "./multipart-body.ts";
import { toOperation } from "./api-link.ts";
import { sendWithSession } from "./refresh-session.ts";
import { NOT_PROVED, sendWithProof } from "./step-up.ts";
import { handleForbidden } from "./handle-forbidden.ts";
import { GRAPHQL_URL, type GraphqlResponse, readAnswer, sendPersisted } from "./post-graphql.ts";

/** Callbacks and abort signal for an upload. */
export interface UploadOptions {
  /** Receives the number of bytes sent and the total, including a small overhead. */
  readonly onProgress: (sent: number, total: number) => void;
  /** Called before FORBIDDEN opens another page, so the page can skip its warning about leaving during an upload. */
  readonly onForbidden: () => void;
  /** Cancels the upload. */
  readonly signal: AbortSignal;
}

/**
 * Sends a GraphQL operation with files as variables, following the GraphQL multipart request specification, and reports
 * its progress, which `fetch` can't. Refreshes the session and opens the dialog for a proof of identity like every other call, and handles FORBIDDEN.
 * @throws ServerError with the response's errors, NetworkFailure if no response of the API arrived, or AbortError if
 * the upload was cancelled
 */
export async function uploadGraphql<TData, TVariables extends object>(
  document: TypedDocumentNode<TData, TVariables>,
  variables: TVariables,
  options: UploadOptions,
): Promise<TData> {
  const needsProof = (answer: GraphqlResponse<TData>) => getErrorCode(answer) === "STEP_UP_REQUIRED";
  const answer = await sendPersisted(toOperation(document), (operation) =>
    sendWithProof(
      () =>
        sendWithSession(
          (token) => send<TData>(buildMultipartBody(operation, variables), token, options),
          (refused) => getErrorCode(refused) === "UNAUTHENTICATED",
        ),
      needsProof,
    ),
  );
  const { data, errors } = answer;
  if (errors?.length) {
    if (needsProof(answer)) throw new ServerError([{ message: NOT_PROVED }]);
    if (getErrorCode({ errors }) === "FORBIDDEN") {
      options.onForbidden();
      handleForbidden(getErrorReason({ errors }));
    }
    throw new ServerError(errors);
  }
  if (!data) throw new NetworkFailure("The server's response contains no data.");
  return data;
}

function send<TData>(body: FormData, token: string | null, { onProgress, signal }: UploadOptions) {
  return new Promise<GraphqlResponse<TData>>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abortRequest = () => request.abort();
    request.open("POST", GRAPHQL_URL);
    request.setRequestHeader("Accept", "application/json");
    // Prevents cross-site requests: a form on another site can send multipart data, but not this header.
    request.setRequestHeader("apollo-require-preflight", "true");
    if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener("load", () => {
      const answer = parseResponse<TData>(request);
      if (answer) resolve(answer);
      else reject(new NetworkFailure(`Status ${request.status}.`));
    });
    request.addEventListener("error", () => reject(new NetworkFailure("The server didn't respond.")));
    request.addEventListener("abort", () => reject(new DOMException("The upload was cancelled.", "AbortError")));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", abortRequest));
    if (signal.aborted) return reject(new DOMException("The upload was cancelled.", "AbortError"));
    signal.addEventListener("abort", abortRequest);
    request.send(body);
  });
}

/** Returns the API's response, or null if the response isn't from the API. */
function parseResponse<TData>({ responseText, status }: XMLHttpRequest): GraphqlResponse<TData> | null {
  try {
    return readAnswer(JSON.parse(responseText), status < 400);
  } catch {
    return null;
  }
}
