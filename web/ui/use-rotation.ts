import { type RefObject, useEffect, useRef, useState } from "react";
import { useMedia } from "./use-media.ts";

export interface Rotation {
  /** What is shown, from 0. */
  index: number;
  /** Nobody has paused it. It may stand for the moment all the same: see `isMoving`. */
  isPlaying: boolean;
  /** The next one comes by itself. */
  isMoving: boolean;
  /** The person asks for less motion: it never moves, and there is nothing to pause. */
  isStill: boolean;
  /** Pauses, or plays on at once, even under the pointer that pressed the button. */
  toggle: () => void;
  /** Who turns the pages has taken over: these three pause as well. */
  next: () => void;
  previous: () => void;
  goTo: (index: number) => void;
  /** Handlers of the element that holds all of it. */
  area: {
    onPointerEnter: (event: React.PointerEvent) => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: (event: React.FocusEvent) => void;
  };
}

/**
 * Shows one thing after the other, `every` ms each (WAI-ARIA's carousel pattern). It moves only while it is in sight,
 * in a tab that is in sight, with neither the pointer nor the focus on it; what was left of a step is kept over such a
 * halt.
 */
export function useRotation(held: RefObject<HTMLElement | null>, count: number, every: number): Rotation {
  const [index, setIndex] = useState(0);
  const [isPlaying, setPlaying] = useState(true);
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isStill = useMedia("(prefers-reduced-motion: reduce)");
  const isInSight = useInSight(held);
  const isMoving = isPlaying && isInSight && !isHovered && !isFocused && !isStill;

  const spent = useRef(0);
  useEffect(() => {
    spent.current = 0;
  }, [index, every, isPlaying]);
  useEffect(() => {
    if (!isMoving) return;
    const begun = performance.now();
    const timer = setTimeout(() => setIndex((index + 1) % count), every - spent.current);
    return () => {
      clearTimeout(timer);
      spent.current += performance.now() - begun;
    };
  }, [isMoving, index, count, every]);

  const goTo = (wanted: number) => {
    setPlaying(false);
    setIndex((wanted + count) % count);
  };
  return {
    index,
    isPlaying,
    isMoving,
    isStill,
    toggle: () => {
      setPlaying(!isPlaying);
      setHovered(false);
      setFocused(false);
    },
    next: () => goTo(index + 1),
    previous: () => goTo(index - 1),
    goTo,
    area: {
      // A finger that touches is no pointer that rests there.
      onPointerEnter: ({ pointerType }) => setHovered(pointerType === "mouse"),
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget)),
    },
  };
}

/** Whether a good part of the element can be seen; never where the browser can't tell. */
function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === "undefined") return;
    let isInView = false;
    const tell = () => setSeen(isInView && document.visibilityState !== "hidden");
    const observer = new IntersectionObserver(
      (entries) => {
        isInView = entries.at(-1)?.isIntersecting ?? false;
        tell();
      },
      { rootMargin: "-20% 0px" },
    );
    observer.observe(element.current);
    document.addEventListener("visibilitychange", tell);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", tell);
    };
  }, [element]);
  return isSeen;
}
