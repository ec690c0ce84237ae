import { IconChevronDown } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import contents from "#web/ui/contents-list.module.css";
import { PageText } from "#web/ui/page-text.tsx";
import layout from "#web/ui/layout.module.css";
import { Split } from "#web/ui/band.tsx";
import classes from "./legal-text.module.css";

/** A clause in the table of contents. `id` is its anchor. */
interface Clause {
  readonly id: string;
  readonly number: string;
  readonly title: string;
}

export interface LegalTextProps {
  /** Front matter of a file in `web/site/content/legals`, with its table of contents. */
  content: {
    /** Filename of the text without extension. */
    readonly id: string;
    readonly updatedLabel: string;
    readonly contents: readonly Clause[];
    /** Shown in a box above the text. */
    readonly summary?: readonly string[];
  };
  /** Loads the HTML of the text. */
  load: () => Promise<string>;
}

/** Legal text in numbered clauses, with a table of contents. */
export function LegalText({ content, load }: LegalTextProps) {
  const { id, updatedLabel, summary } = content;
  return (
    <Split columns="16.5rem minmax(0, 1fr)">
      <ClauseContents id={id} clauses={content.contents} />
      <div className={classes.column}>
        <p className={layout.note} style={{ marginBottom: "1.75rem", paddingInlineStart: "var(--hang)" }}>
          {updatedLabel}
        </p>
        {summary && (
          <section className={classes.summary} aria-labelledby={`${id}-summary`}>
            <h2 id={`${id}-summary`}>In short</h2>
            <ul>
              {summary.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </section>
        )}
        <PageText id={`${id}-text`} load={load} className={classes.text} />
      </div>
    </Split>
  );
}

/**
 * Table of contents of a legal text that marks the clause being read. It stays visible next to the text. On narrow screens,
 * a button opens it.
 */
function ClauseContents({ id, clauses }: { id: string; clauses: readonly Clause[] }) {
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
