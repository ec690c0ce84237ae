import { isDatabaseAway } from "#api/platform/errors.ts";

/**
 * Asks again as clients do when the answer is 503: on a busy machine the wait for a row that many want may end
 * unanswered, with nothing done.
 */
export async function untilServed<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}

/** The same for an action that is called directly. */
export async function untilDone<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
  }
}
