import { IconChevronLeft, IconChevronRight, IconPlayerPauseFilled, IconPlayerPlayFilled } from "@tabler/icons-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { IconButton } from "#web/ui/button.tsx";
import classes from "./home-page.module.css";
import { useMedia } from "#web/platform/use-media.ts";

/**
 * Buttons Pause or Play, Previous and Next, with `children` in between. `item` completes the labels: "Pause slides", "Next
 * slide".
 */
export function RotationControls(props: { rotation: Rotation; item: string; children: ReactNode }) {
  const { rotation, item, children } = props;
  const { isPlaying, isStill, toggle, previous, next } = rotation;
  return (
    <div className={classes.controls} data-needs-scripts data-screen-only>
      {!isStill && (
        <IconButton
          className={`${classes.button} ${classes.pause}`}
          label={`${isPlaying ? "Pause" : "Play"} ${item}s`}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
        </IconButton>
      )}
      {children}
      <IconButton className={classes.button} label={`Previous ${item}`} onClick={previous}>
        <IconChevronLeft size={20} />
      </IconButton>
      <IconButton className={classes.button} label={`Next ${item}`} onClick={next}>
        <IconChevronRight size={20} />
      </IconButton>
    </div>
  );
}

/*
 * Display times on the home page in milliseconds. The animations in banner-carousel.module.css and
 * benefits-timeline.module.css use the same times, and a test compares them.
 */

/** Time per slide of the banner. */
export const BANNER_MS = 8000;

/** Time per point of the benefits timeline on wide screens, which show a chart. */
export const TIMELINE_MS = 1500;

/** Time per point on narrow screens, which show one point at a time. */
export const NARROW_TIMELINE_MS = 4000;

/** Screen width from which the benefits are shown as a chart. */
export const CHART_QUERY = "(min-width: 1118px)";

type Rotation = ReturnType<typeof useRotation>;

/**
 * Shows one item after another, each for `every` milliseconds (WAI-ARIA's carousel pattern). Runs only while it is in the
 * middle of the window and has neither the pointer nor the focus, so that only one thing on a page moves at a time. While
 * stopped, it keeps the time left for the current item.
 */
export function useRotation(held: RefObject<HTMLElement | null>, count: number, every: number) {
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
    const startedAt = performance.now();
    const timer = setTimeout(() => setIndex((index + 1) % count), every - spent.current);
    return () => {
      clearTimeout(timer);
      spent.current += performance.now() - startedAt;
    };
  }, [isMoving, index, count, every]);

  /** Navigates by hand, which also pauses the rotation. */
  const goTo = (wanted: number) => {
    setPlaying(false);
    setIndex((wanted + count) % count);
  };
  return {
    index,
    /** False after the user has paused the rotation. It may also stop temporarily: see `isMoving`. */
    isPlaying,
    /** True while the next item appears automatically. */
    isMoving,
    /** True if the user prefers reduced motion. The rotation then never starts. */
    isStill,
    /** Pauses or resumes immediately, even while the pointer is on the button. */
    toggle: () => {
      setPlaying(!isPlaying);
      setHovered(false);
      setFocused(false);
    },
    next: () => goTo(index + 1),
    previous: () => goTo(index - 1),
    goTo,
    /** Event handlers of the surrounding element. */
    area: {
      // Touches don't count as hovering.
      onPointerEnter: ({ pointerType }: React.PointerEvent) => setHovered(pointerType === "mouse"),
      onPointerLeave: () => setHovered(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: React.FocusEvent) => setFocused(currentTarget.contains(relatedTarget)),
    },
  };
}

/**
 * Returns whether the element crosses the middle of the window, which only one of several stacked elements can do. Always
 * false in browsers without support.
 */
function useInSight(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === "undefined") return;
    let isInView = false;
    const update = () => setSeen(isInView && document.visibilityState !== "hidden");
    const observer = new IntersectionObserver(
      (entries) => {
        isInView = entries.at(-1)?.isIntersecting ?? false;
        update();
      },
      { rootMargin: "-50% 0px" },
    );
    observer.observe(element.current);
    document.addEventListener("visibilitychange", update);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", update);
    };
  }, [element]);
  return isSeen;
}
