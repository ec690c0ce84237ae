import { useEffect, useRef, useState } from "react";
import { FEWEST_SEARCHED } from "#schema/limits.ts";
import type { FoundHit, SearchAnswer } from "./search-source.ts";
import { searchEverything } from "./search-source.ts";

/** A person who types goes on within this time. */
const PAUSE_MS = 180;

type Found = { kind: "nothing" } | { kind: "asking" } | { kind: "failed" } | ({ kind: "answer" } & SearchAnswer);

const NOTHING: Found = { kind: "nothing" };

/** What the box of the search shows, and what it can be told. */
export interface Search {
  text: string;
  hits: readonly FoundHit[];
  /** How many there are, why there are none, or that they could not be had. */
  words: string;
  /** Index of the hit that Enter opens. */
  active: number;
  isOpen: boolean;
  isAsking: boolean;
  type: (text: string) => void;
  /** Enter: opens the chosen hit, or asks again after a failure. */
  enter: () => void;
  move: (step: 1 | -1) => void;
  show: () => void;
  close: () => void;
  clear: () => void;
}

/**
 * Asks while one types, after a pause, and keeps the newest question's answer alone. Enter before the answer opens its
 * first hit once it is there: who pastes a code need not wait and look.
 */
export function useSearch(onOpen: (hit: FoundHit) => void): Search {
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found>(NOTHING);
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const question = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const opensFirst = useRef(false);

  // An answer to an older question, or to a box that is gone, is nobody's any more.
  const forget = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    question.current += 1;
    opensFirst.current = false;
  };
  useEffect(() => forget, []);

  function ask(typed: string, pauseMs: number) {
    forget();
    setActive(0);
    setOpen(true);
    if (typed.trim().length < FEWEST_SEARCHED) return setFound(NOTHING);
    const asked = question.current;
    // What is shown stays until the answer is there, so that nothing flickers between two letters.
    setFound((now) => (now.kind === "answer" && now.hits.length > 0 ? now : { kind: "asking" }));
    timer.current = setTimeout(() => {
      searchEverything(typed.trim()).then(
        (answer) => {
          if (question.current !== asked) return;
          const [first] = answer.hits;
          if (opensFirst.current && first) return onOpen(first);
          timer.current = undefined;
          setFound({ kind: "answer", ...answer });
        },
        () => {
          if (question.current === asked) setFound({ kind: "failed" });
        },
      );
    }, pauseMs);
  }

  const hits = found.kind === "answer" ? found.hits : [];
  return {
    text,
    hits,
    words: wordsOf(found, text),
    active,
    isOpen,
    isAsking: found.kind === "asking",
    type(typed) {
      setText(typed);
      ask(typed, PAUSE_MS);
    },
    enter() {
      const chosen = hits[active];
      if (found.kind === "failed") ask(text, 0);
      else if (timer.current !== undefined) opensFirst.current = true;
      else if (chosen && isOpen) onOpen(chosen);
      else setOpen(true);
    },
    move(step) {
      if (!isOpen) setOpen(true);
      else if (hits.length > 0) setActive((active + step + hits.length) % hits.length);
    },
    show: () => setOpen(true),
    close: () => setOpen(false),
    clear() {
      forget();
      setText("");
      setFound(NOTHING);
      setOpen(false);
    },
  };
}

function wordsOf(found: Found, text: string): string {
  if (found.kind === "asking") return "Looking…";
  if (found.kind === "failed") return "Unable to look that up. Press Enter to try again.";
  if (found.kind === "nothing") return "";
  const count = found.hits.length;
  if (count > 0) return count === 1 ? "1 match." : `${count} matches.`;
  return `Nothing matches “${text.trim()}”. ${found.hint ?? "Check the spelling or use fewer words."}`;
}
