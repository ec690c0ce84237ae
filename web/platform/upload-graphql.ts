import type { TypedDocumentNode } from "@apollo/client";
import { codeOf, NetworkFailure, reasonOf, ServerError } from "./server-error.ts";
import { operationOf } from "./api-link.ts";
import { askWithSession } from "./refresh-session.ts";
import { leadAway } from "./lead-away.ts";
import { byHashOrText, GRAPHQL_URL, type GraphqlAnswer, sentenceIn } from "./post-graphql.ts";

/** What an upload is told. */
export interface UploadOptions {
  /** Hears how many bytes have left, of how many: those of the files and the little around them. */
  readonly onProgress: (sent: number, total: number) => void;
  /** Called before FORBIDDEN leads away, which must not meet a question whether the upload shall stop. */
  readonly onForbidden: () => void;
  /** Gives the upload up. */
  readonly signal: AbortSignal;
}

/**
 * Sends a GraphQL operation whose variables hold files, by the multipart request specification, and tells how far it
 * is, which `fetch` can't. The session is refreshed as for every other call, and FORBIDDEN leads away.
 * @throws ServerError with the answer's problems; NetworkFailure when no answer of the api came; AbortError when given
 * up.
 */
export async function uploadGraphql<TData, TVariables extends object>(
  document: TypedDocumentNode<TData, TVariables>,
  variables: TVariables,
  options: UploadOptions,
): Promise<TData> {
  const { data, errors } = await byHashOrText(operationOf(document), (operation) =>
    askWithSession(
      (token) => send<TData>(bodyOf(operation, variables), token, options),
      (answer) => codeOf(answer) === "UNAUTHENTICATED",
    ),
  );
  if (errors?.length) {
    if (codeOf({ errors }) === "FORBIDDEN") {
      options.onForbidden();
      leadAway(reasonOf({ errors }));
    }
    throw new ServerError(errors);
  }
  if (!data) throw new NetworkFailure("The server's answer holds no data.");
  return data;
}

/** Operation and map come before the files, so that the server knows what a file is for when it begins. */
function bodyOf(operation: object, variables: object): FormData {
  const files = Object.entries(variables).filter((entry): entry is [string, File] => entry[1] instanceof File);
  const places = Object.fromEntries(files.map(([name]) => [name, null]));
  const body = new FormData();
  body.append("operations", JSON.stringify({ ...operation, variables: { ...variables, ...places } }));
  body.append("map", JSON.stringify(Object.fromEntries(files.map(([name], index) => [index, [`variables.${name}`]]))));
  for (const [index, [, file]] of files.entries()) body.append(String(index), file, file.name);
  return body;
}

function send<TData>(body: FormData, token: string | null, { onProgress, signal }: UploadOptions) {
  return new Promise<GraphqlAnswer<TData>>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const giveUp = () => request.abort();
    request.open("POST", GRAPHQL_URL);
    request.setRequestHeader("Accept", "application/json");
    // A form of another site could send multipart; it could not send this.
    request.setRequestHeader("apollo-require-preflight", "true");
    if (token) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener("load", () => {
      const answer = answerIn<TData>(request);
      if (answer) resolve(answer);
      else reject(new NetworkFailure(`Status ${request.status}.`));
    });
    request.addEventListener("error", () => reject(new NetworkFailure("No answer from the server.")));
    request.addEventListener("abort", () => reject(new DOMException("The upload was given up.", "AbortError")));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", giveUp));
    if (signal.aborted) return reject(new DOMException("The upload was given up.", "AbortError"));
    signal.addEventListener("abort", giveUp);
    request.send(body);
  });
}

/** The api's answer, or what it says when it refuses a request before GraphQL; null when somebody else spoke. */
function answerIn<TData>({ responseText, status }: XMLHttpRequest): GraphqlAnswer<TData> | null {
  try {
    const json: unknown = JSON.parse(responseText);
    const { data, errors } = json as GraphqlAnswer<TData>;
    if (data || errors) return json as GraphqlAnswer<TData>;
    return status >= 400 && sentenceIn(json) ? { errors: [{ message: sentenceIn(json) }] } : null;
  } catch {
    return null;
  }
}
