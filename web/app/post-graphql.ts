import { type GraphQLProblem, NetworkFailure, ServerError } from "#web/ui/server-error.ts";

/** Where the api answers GraphQL. */
export const GRAPHQL_URL = "/graphql";

/**
 * Sends one GraphQL operation without Apollo Client: for the session's own calls and for pages that must stay
 * light, such as the sign-in page.
 * @throws ServerError with the answer's problems; NetworkFailure when no GraphQL answer came.
 */
export async function postGraphql<TData, TVariables = Record<string, unknown>>(
  query: string,
  variables: TVariables,
  accessToken?: string,
): Promise<TData> {
  let answer: { data?: TData | null; errors?: GraphQLProblem[] };
  try {
    const response = await fetch(GRAPHQL_URL, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        ...(accessToken ? { Authorization: `Bearer ${accessToken}` } : {}),
      },
      body: JSON.stringify({ query, variables }),
    });
    answer = (await response.json()) as typeof answer;
  } catch (cause) {
    throw new NetworkFailure("No answer from the server.", { cause });
  }
  if (answer.errors?.length) throw new ServerError(answer.errors);
  if (!answer.data) throw new NetworkFailure("The server's answer holds no data.");
  return answer.data;
}
