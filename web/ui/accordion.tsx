import { IconArrowRight, IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { Link } from "react-router-dom";
import classes from "./accordion.module.css";
import { type Panels, usePanels } from "./use-panels.ts";

export interface AccordionItemProps {
  /** The address of the item, `#id`. */
  id: string;
  title: ReactNode;
  /** Stands at the end of the title's row, outside the button's name. */
  aside?: ReactNode;
  /** A line under the title that describes the item, outside the button's name. */
  note?: ReactNode;
  /** Rank of the heading. Default 3. */
  level?: 2 | 3 | 4;
  /** Where it is known which items are open. */
  panels: Panels;
  children: ReactNode;
}

/**
 * One item: a heading that is a button, and what it discloses. The browser's own search finds what is folded away and
 * opens it; on paper, and where no scripts run, everything is open.
 */
export function AccordionItem({ id, title, aside, note, level = 3, panels, children }: AccordionItemProps) {
  const { isOpen, set } = panels;
  const opened = isOpen(id);
  const panel = useRef<HTMLDivElement>(null);
  const Heading = `h${level}` as const;

  // React knows `hidden` as yes or no alone.
  useLayoutEffect(() => {
    if (!opened) panel.current?.setAttribute("hidden", "until-found");
  }, [opened]);

  useEffect(() => {
    const element = panel.current;
    const open = () => set(id, true);
    element?.addEventListener("beforematch", open);
    return () => element?.removeEventListener("beforematch", open);
  }, [id, set]);

  return (
    <div id={id} className={classes.item} data-accordion-item="" data-open={opened || undefined}>
      <Heading className={classes.heading} data-level={level}>
        <button
          type="button"
          className={classes.button}
          aria-expanded={opened}
          aria-controls={`${id}-panel`}
          aria-describedby={note ? `${id}-note` : undefined}
          onClick={() => set(id, !opened)}
        >
          <span className={classes.title}>{title}</span>
          {aside && (
            <span className={classes.aside} aria-hidden="true">
              {aside}
            </span>
          )}
          <IconChevronDown className={classes.chevron} size={20} stroke={2} aria-hidden="true" />
        </button>
      </Heading>
      <Note id={id} note={note} />
      <div ref={panel} id={`${id}-panel`} className={classes.panel} hidden={!opened}>
        <div className={classes.content}>{children}</div>
      </div>
    </div>
  );
}

function Note({ id, note }: { id: string; note: ReactNode }) {
  return note ? (
    <p id={`${id}-note`} className={classes.note}>
      {note}
    </p>
  ) : null;
}

export interface AccordionLinkProps {
  id: string;
  title: string;
  note?: string;
  /** The page it leads to. */
  to: string;
  /** Rank of the heading. Default 3. */
  level?: 2 | 3 | 4;
}

/** A row among the items of an accordion whose text has a page of its own. */
export function AccordionLink({ id, title, note, to, level = 3 }: AccordionLinkProps) {
  const Heading = `h${level}` as const;
  return (
    <div id={id} className={classes.item}>
      <Heading className={classes.heading} data-level={level}>
        <Link to={to} className={classes.button} aria-describedby={note ? `${id}-note` : undefined}>
          <span className={classes.title}>{title}</span>
          <IconArrowRight className={classes.arrow} size={20} stroke={2} aria-hidden="true" />
        </Link>
      </Heading>
      <Note id={id} note={note} />
    </div>
  );
}

export interface AccordionProps {
  items: readonly {
    readonly id: string;
    readonly title: string;
    readonly note?: string;
    readonly content: ReactNode;
  }[];
  level?: 2 | 3 | 4;
  /** Further rows, below the items: `AccordionLink`. */
  children?: ReactNode;
}

/** Items that open and close each by itself; all start closed, but the one that the address names. */
export function Accordion({ items, level, children }: AccordionProps) {
  const panels = usePanels();
  return (
    <div className={classes.list}>
      {items.map(({ id, title, note, content }) => (
        <AccordionItem key={id} id={id} title={title} note={note} panels={panels} {...(level && { level })}>
          {content}
        </AccordionItem>
      ))}
      {children}
    </div>
  );
}
