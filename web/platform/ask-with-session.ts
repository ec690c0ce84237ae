import { accessToken, refreshSession } from "./refresh-session.ts";

/**
 * Sends a request that does not go through Apollo Client as the signed-in user; after an answer that does not know the
 * session, it is refreshed and the request sent once more (docs/domain.md#session-refresh).
 */
export async function askWithSession<TAnswer>(
  send: (token: string | null) => Promise<TAnswer>,
  isUnauthenticated: (answer: TAnswer) => boolean,
): Promise<TAnswer> {
  const token = await accessToken();
  const answer = await send(token);
  if (!isUnauthenticated(answer) || !token || (await refreshSession(token)) !== "refreshed") return answer;
  return send(await accessToken());
}
