import { IconChevronDown } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import contents from "#web/ui/contents-list.module.css";
import layout from "#web/ui/layout.module.css";
import classes from "./legal-text.module.css";

/** A clause in the table of contents. `id` is its anchor. */
export interface Clause {
  readonly id: string;
  readonly number: string;
  readonly title: string;
}

/**
 * Table of contents of a legal text that marks the clause being read. It stays visible next to the text. On narrow screens,
 * a button opens it.
 */
export function ClauseContents({ id, clauses }: { id: string; clauses: readonly Clause[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const current = useClauseBeingRead(clauses);
  const nav = useRef<HTMLElement>(null);

  // Scrolls a long list so that the current clause stays visible.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (!nav.current || !link) return;
    const { top, bottom } = nav.current.getBoundingClientRect();
    const place = link.getBoundingClientRect();
    if (place.top < top || place.bottom > bottom) nav.current.scrollTop += place.top - (top + bottom) / 2;
  }, [current]);

  return (
    <nav ref={nav} className={`${layout.sticky} ${classes.contents}`} aria-label="Contents" data-screen-only>
      <Button
        variant="default"
        className={classes.toggle}
        data-needs-scripts
        aria-expanded={isOpen}
        aria-controls={`${id}-contents`}
        onClick={() => setIsOpen(!isOpen)}
      >
        Contents
        <span className={layout.note} style={{ marginInlineStart: "auto" }}>
          {clauses.length} clauses
        </span>
        <IconChevronDown size={18} stroke={2} aria-hidden="true" />
      </Button>
      <ol id={`${id}-contents`} className={`${contents.list} ${classes.list}`}>
        {clauses.map((clause, index) => (
          <li key={clause.id}>
            <a href={`#${clause.id}`} aria-current={index === current ? "location" : undefined}>
              <span style={{ flex: "none", minWidth: "1.5rem" }}>{clause.number}.</span>
              {clause.title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Returns the index of the last clause with a heading in the top third of the window or above; -1 before the first. */
function useClauseBeingRead(clauses: readonly Clause[]): number {
  const [current, setCurrent] = useState(-1);
  useEffect(() => {
    // The current clause is the last one that starts above the line a third down the window.
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
