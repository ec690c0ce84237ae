import { useRef, useState } from "react";
import type { ScreenHit } from "./screens.ts";
import { matchLabels } from "./screens.ts";

/** The search before a user was chosen. */
interface SearchBefore {
  readonly text: string;
  readonly active: number;
}

/** The user whose actions the search box lists. */
export interface ChosenUser {
  readonly state: "loading" | "failed" | "loaded";
  /** Empty until the actions are loaded. */
  readonly name: string;
  /** Loads the actions again after an error. */
  readonly retry: () => void;
}

type Loaded = Omit<ChosenUser, "retry"> & { userId: string; before: SearchBefore; actions: readonly ScreenHit[] };

/** Loads and filters the actions on a user chosen in the search box. */
export function useChosenUser() {
  const [user, setUser] = useState<Loaded | null>(null);
  const requestId = useRef(0);

  function choose(userId: string, before: SearchBefore) {
    requestId.current += 1;
    const ownId = requestId.current;
    const empty = { userId, before, name: "", actions: [] };
    setUser({ ...empty, state: "loading" });
    // Rarely needed, so loaded on demand.
    import("./user-actions.ts")
      .then(({ loadUserActions }) => loadUserActions(userId))
      .then(
        (loaded) => requestId.current === ownId && setUser({ ...empty, ...loaded, state: "loaded" }),
        () => requestId.current === ownId && setUser({ ...empty, state: "failed" }),
      );
  }

  const chosen: ChosenUser | null = user && {
    state: user.state,
    name: user.name,
    retry: () => {
      if (user.state === "failed") choose(user.userId, user.before);
    },
  };
  return {
    chosen,
    choose,
    /** Returns to the hits. Returns the search before the choice, or null if no user is chosen. */
    leave(): SearchBefore | null {
      requestId.current += 1;
      setUser(null);
      return user && user.before;
    },
    findActions: (text: string): ScreenHit[] =>
      matchLabels(user?.actions ?? [], text, ({ label, subLabel }) => `${label} ${subLabel}`),
    getStatusText(count: number): string {
      if (!user || user.state === "loading") return "Loading the actions…";
      if (user.state === "failed") return "Unable to load the actions. Press Enter to try again.";
      if (count === 0) return `No such action on ${user.name}.`;
      return `${count === 1 ? "1 action" : `${count} actions`} on ${user.name}.`;
    },
  };
}
