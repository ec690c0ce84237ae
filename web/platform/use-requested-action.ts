import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router-dom";

/** Starts an action; receives the id in the URL parameter `on`, such as the id of a licence, or null. */
export type RequestedAction = (on: string | null) => unknown;

/**
 * Starts the action that the URL parameter `action` names, once, and removes it from the URL so that reloading or going back
 * doesn't repeat it. The search box leads to actions this way. An action must only open a dialog or move the focus, because
 * anyone can send such a link.
 * @param isReady false while the page can't start the action yet, for example while its rows load
 */
export function useRequestedAction(actions: Readonly<Record<string, RequestedAction>>, isReady = true): void {
  const [search, setSearch] = useSearchParams();
  const requested = search.get("action");
  const start = useEffectEvent((name: string) => {
    const action = actions[name];
    if (!action) return;
    action(search.get("on"));
    setSearch(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete("action");
        rest.delete("on");
        return rest;
      },
      { replace: true },
    );
  });
  useEffect(() => {
    if (requested !== null && isReady) start(requested);
  }, [requested, isReady]);
}
