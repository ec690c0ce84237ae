import { useEffect, useEffectEvent, useState } from "react";

/**
 * Asks the API when the component mounts, and again on `refetch`, for pages without Apollo Client. The data outlasts a later
 * failure. A component whose question can change needs a `key`.
 */
export function useAnswer<TData>(ask: () => Promise<TData>) {
  const [answer, setAnswer] = useState<{ data?: TData; error?: unknown }>({});
  const run = () =>
    ask().then(
      (data) => setAnswer({ data }),
      (error: unknown) => setAnswer((known) => ({ ...known, error })),
    );
  const start = useEffectEvent(run);
  useEffect(() => void start(), []);
  const refetch = () => {
    setAnswer((known) => ({ ...known, error: undefined }));
    return run();
  };
  return { ...answer, refetch };
}
