import { type PostedOperation, postGraphql } from "#web/platform/post-graphql.ts";
import { getAccessToken, refreshSession } from "#web/platform/refresh-session.ts";
import { getErrorCode } from "#web/platform/server-error.ts";

/**
 * Sends an operation without Apollo Client, which the header doesn't load. Refreshes an expired session and retries once.
 * @throws ServerError, NetworkFailure
 */
export async function postAsAdmin<TData, TVariables>(
  operation: PostedOperation<TData, TVariables>,
  variables: NoInfer<TVariables>,
): Promise<TData> {
  const token = await getAccessToken();
  const send = (accessToken: string | null) => postGraphql(operation, variables, accessToken ?? undefined);
  try {
    return await send(token);
  } catch (error) {
    if (getErrorCode(error) !== "UNAUTHENTICATED" || !token || (await refreshSession(token)) !== "refreshed")
      throw error;
    return send(await getAccessToken());
  }
}
