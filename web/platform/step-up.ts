/** Message of a call whose user closed the dialog without proving their identity. */
export const NOT_PROVED = "Nothing was changed, because you didn't confirm that it's you.";

let request: { readonly proved: Promise<boolean>; readonly settle: (proved: boolean) => void } | null = null;
const listeners = new Set<() => void>();

/** Store of the dialog that proves the user's identity. */
export const proofRequest = {
  /** Returns whether an operation waits for a proof. */
  isOpen: (): boolean => request !== null,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) proofRequest.settle(false);
    };
  },
  /** Continues the waiting operations, or fails them if the user cancelled. */
  settle: (proved: boolean): void => {
    request?.settle(proved);
    request = null;
    for (const listener of listeners) listener();
  },
};

/** Opens the dialog and returns whether the user proved their identity. Operations that wait share one dialog. */
export function requestProof(): Promise<boolean> {
  if (request) return request.proved;
  // Pages without the dialog show the error.
  if (listeners.size === 0) return Promise.resolve(false);
  const { promise: proved, resolve: settle } = Promise.withResolvers<boolean>();
  request = { proved, settle };
  for (const listener of listeners) listener();
  return proved;
}

/**
 * Sends a call outside the Apollo client, such as an upload or a REST call. If the API refuses it without a recent proof of
 * identity, opens the dialog and sends the call again after the proof (decision 0059). Returns the refusal if the user
 * cancels.
 */
export async function sendWithProof<Answer>(
  send: () => Promise<Answer>,
  isRefused: (answer: Answer) => boolean | Promise<boolean>,
): Promise<Answer> {
  const answer = await send();
  return (await isRefused(answer)) && (await requestProof()) ? send() : answer;
}
