import { isDatabaseUnavailable } from "#api/platform/errors.ts";

/**
 * Repeats a request while the server responds with 503, as clients do. On a busy machine, waiting for a contended row can
 * time out, and then nothing has changed.
 */
export async function retryUntilServed<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}

const LOCK_NOT_AVAILABLE = "55P03";

/** Repeats an action like {@link retryUntilDone}. Returns `done`, or the code of its error. */
export const settle = (act: () => Promise<unknown>): Promise<string> =>
  retryUntilDone(act).then(
    () => "done",
    (error: { code?: string }) => error.code ?? "failed",
  );

/** Repeats an action while the database is unavailable or a row is locked, as {@link retryUntilServed} does for requests. */
export async function retryUntilDone<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const isLocked = (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
      if (!isLocked && !isDatabaseUnavailable(error)) throw error;
    }
  }
}
