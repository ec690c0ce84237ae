import { useEffect, useRef, useState } from "react";
import { MIN_SEARCH_CHARACTERS } from "#schema/limits.ts";
import { type SearchHit, type SearchResult, getHitUserId, searchEverything } from "./search-source.ts";
import { findScreens, type ScreenHit, matchLabels } from "./screens.ts";

/** Pause in typing after which the search starts, in milliseconds. */
const TYPING_PAUSE_MS = 180;

type State = { kind: "idle" } | { kind: "loading" } | { kind: "failed" } | ({ kind: "loaded" } & SearchResult);

const IDLE: State = { kind: "idle" };

/**
 * Finds screens immediately. Searches while the user types, after a short pause, and ignores outdated responses. If the user
 * presses Enter before the response, the first hit opens as soon as it arrives. With a chosen user, filters their actions.
 */
export function useSearch(onOpen: (hit: SearchHit) => void) {
  const [text, setText] = useState("");
  const [state, setState] = useState<State>(IDLE);
  const [position, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const users = useChosenUser();
  const { chosen } = users;
  const requestId = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const opensFirst = useRef(false);

  // Responses to earlier requests, or after unmounting, are ignored.
  const cancelRequest = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    requestId.current += 1;
    opensFirst.current = false;
  };
  useEffect(() => cancelRequest, []);

  function startSearch(typed: string, pauseMs: number) {
    cancelRequest();
    setActive(0);
    setOpen(true);
    if (typed.trim().length < MIN_SEARCH_CHARACTERS) return setState(IDLE);
    const ownId = requestId.current;
    // Keeps the current hits until the response arrives, to avoid flicker while typing.
    setState((current) => (current.kind === "loaded" && current.hits.length > 0 ? current : { kind: "loading" }));
    timer.current = setTimeout(() => {
      searchEverything(typed.trim()).then(
        (result) => {
          if (requestId.current !== ownId) return;
          const [first] = result.hits;
          if (opensFirst.current && first) return onOpen(first);
          timer.current = undefined;
          setState({ kind: "loaded", ...result });
        },
        () => {
          if (requestId.current === ownId) setState({ kind: "failed" });
        },
      );
    }, pauseMs);
  }

  const screens = text.trim().length < MIN_SEARCH_CHARACTERS ? [] : findScreens(text);
  const found = [...screens, ...(state.kind === "loaded" ? state.hits : [])];
  const hits: readonly SearchHit[] = chosen ? users.findActions(text) : found;
  // A response can have fewer hits than the list in which the user has moved meanwhile.
  const active = Math.min(position, Math.max(0, hits.length - 1));

  /** Lists the actions on the user of a hit, by default the active one. Returns whether the hit belongs to a user. */
  function choose(hit = hits[active]): boolean {
    const userId = hit && getHitUserId(hit);
    if (!userId) return false;
    cancelRequest();
    users.choose(userId, { text, active });
    setText("");
    setActive(0);
    setOpen(true);
    return true;
  }

  /** Returns from the actions to the hits. */
  function leaveActions(): void {
    const before = users.leave();
    if (!before) return;
    setText(before.text);
    setActive(before.active);
  }

  return {
    text,
    hits,
    /** Number of hits, reason for no hits, or error. */
    statusText: chosen ? users.getStatusText(hits.length) : getStatusText(state, text, hits.length),
    /** Index of the hit that Enter opens. */
    active,
    isOpen,
    isLoading: chosen ? chosen.state === "loading" : state.kind === "loading",
    hasFailed: chosen ? chosen.state === "failed" : state.kind === "failed",
    /** User whose actions are listed instead of the hits, or null. */
    chosen,
    choose,
    leaveActions,
    type(typed: string): void {
      setText(typed);
      if (!chosen) return startSearch(typed, TYPING_PAUSE_MS);
      setActive(0);
      setOpen(true);
    },
    /** Opens the active hit, or retries after an error. */
    enter(): void {
      const hit = hits[active];
      if (hit && isOpen && (chosen || hit.kind === "SCREEN" || hit.kind === "ACTION")) onOpen(hit);
      else if (chosen) chosen.retry();
      else if (state.kind === "failed") startSearch(text, 0);
      else if (timer.current !== undefined) opensFirst.current = true;
      else if (hit && isOpen) onOpen(hit);
      else setOpen(true);
    },
    move(step: 1 | -1): void {
      if (!isOpen) setOpen(true);
      else if (hits.length > 0) setActive((active + step + hits.length) % hits.length);
    },
    show: () => setOpen(true),
    close: () => setOpen(false),
    clear(): void {
      cancelRequest();
      users.leave();
      setText("");
      setState(IDLE);
      setOpen(false);
    },
  };
}

function getStatusText(state: State, text: string, count: number): string {
  if (state.kind === "loading") return "Searching…";
  if (state.kind === "failed") return "Unable to search. Press Enter to try again.";
  if (state.kind === "idle") return "";
  if (count > 0) return count === 1 ? "1 match." : `${count} matches.`;
  return `Nothing matches “${text.trim()}”. ${state.hint ?? "Check the spelling or use fewer words."}`;
}

/** The search before a user was chosen. */
interface SearchBefore {
  readonly text: string;
  readonly active: number;
}

/** The user whose actions the search box lists. */
interface ChosenUser {
  readonly state: "loading" | "failed" | "loaded";
  /** Empty until the actions are loaded. */
  readonly name: string;
  /** Loads the actions again after an error. */
  readonly retry: () => void;
}

type Loaded = Omit<ChosenUser, "retry"> & { userId: string; before: SearchBefore; actions: readonly ScreenHit[] };

/** Loads and filters the actions on a user chosen in the search box. */
function useChosenUser() {
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
