import { IconChevronDown } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import classes from "./clause-contents.module.css";

/** A clause as the list names it; `id` is its address in the page. */
export interface Clause {
  readonly id: string;
  readonly number: string;
  readonly title: string;
}

/**
 * The list of a text's clauses, drawn as progress: those above are done, a milestone marks the one being read. Beside
 * the text it stays in sight; on narrow screens a button discloses it.
 */
export function ClauseContents({ id, clauses }: { id: string; clauses: readonly Clause[] }) {
  const [opened, setOpened] = useState(false);
  const current = useClauseBeingRead(clauses);
  const nav = useRef<HTMLElement>(null);

  // A long list scrolls by itself, so that the clause being read stays in its sight.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (!nav.current || !link) return;
    const { top, bottom } = nav.current.getBoundingClientRect();
    const place = link.getBoundingClientRect();
    if (place.top < top || place.bottom > bottom) nav.current.scrollTop += place.top - (top + bottom) / 2;
  }, [current]);

  return (
    <nav ref={nav} className={classes.contents} aria-label="Contents">
      <p className={classes.title} aria-hidden="true">
        Contents
      </p>
      <button
        type="button"
        className={classes.toggle}
        aria-expanded={opened}
        aria-controls={`${id}-contents`}
        onClick={() => setOpened(!opened)}
      >
        Contents
        <span className={classes.count}>{clauses.length} clauses</span>
        <IconChevronDown className={classes.chevron} size={18} stroke={2} aria-hidden="true" />
      </button>
      <ol id={`${id}-contents`} className={classes.list} data-open={opened || undefined}>
        {clauses.map((clause, index) => (
          <li key={clause.id} data-state={index < current ? "done" : index === current ? "current" : undefined}>
            <a href={`#${clause.id}`} aria-current={index === current ? "location" : undefined}>
              <span className={classes.number}>{clause.number}.</span>
              {clause.title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Place of the last clause whose heading has reached the upper part of the window, -1 before the first. */
function useClauseBeingRead(clauses: readonly Clause[]): number {
  const [current, setCurrent] = useState(-1);
  useEffect(() => {
    // Heads and ends of clauses pass the line a third down the window; what is there then is being read.
    if (typeof IntersectionObserver === "undefined") return;
    const headings = clauses.flatMap(({ id }) => document.getElementById(id) ?? []);
    const look = () => {
      const line = window.innerHeight / 3;
      setCurrent(headings.findLastIndex((heading) => heading.getBoundingClientRect().top < line));
    };
    const observer = new IntersectionObserver(look, { rootMargin: "0px 0px -66% 0px", threshold: [0, 1] });
    for (const heading of headings) observer.observe(heading);
    return () => observer.disconnect();
  }, [clauses]);
  return current;
}
