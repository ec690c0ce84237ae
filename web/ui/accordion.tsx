import { IconArrowRight, IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { Link } from "react-router-dom";
import classes from "./accordion.module.css";
import { type Panels, usePanels } from "./use-panels.ts";

export interface AccordionItemProps {
  /** Id of the item, so `#id` links to it. */
  id: string;
  title: ReactNode;
  /** Shown at the end of the title's row, outside the button's name. */
  aside?: ReactNode;
  /** A line under the title that describes the item, outside the button's name. */
  note?: ReactNode;
  /** Level of the heading. Default 3. */
  level?: 2 | 3 | 4;
  /** Tracks the open items. */
  panels: Panels;
  children: ReactNode;
}

/**
 * Renders an item: a heading with a button that opens a panel. The browser's search finds text in closed panels and opens
 * them. In print and without scripts, all panels are open.
 */
export function AccordionItem({ id, title, aside, note, level = 3, panels, children }: AccordionItemProps) {
  const { isOpen, set } = panels;
  const opened = isOpen(id);
  const panel = useRef<HTMLDivElement>(null);
  const Heading = `h${level}` as const;

  // React only supports `hidden` as a boolean.
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
    <div id={id} style={{ borderBottom: "1px solid var(--xp-line)" }} data-accordion-item="">
      <Heading className={classes.heading} data-level={level}>
        <button
          type="button"
          className={classes.button}
          aria-expanded={opened}
          aria-controls={`${id}-panel`}
          aria-describedby={note ? `${id}-note` : undefined}
          onClick={() => set(id, !opened)}
        >
          <span className={classes.title} data-break="anywhere">
            {title}
          </span>
          {aside && (
            <span className={classes.aside} aria-hidden="true">
              {aside}
            </span>
          )}
          <IconChevronDown size={20} stroke={2} aria-hidden="true" data-needs-scripts data-screen-only />
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

/** Renders a row that links to a separate page instead of opening a panel. */
export function AccordionLink({ id, title, note, to }: { id: string; title: string; note: string; to: string }) {
  return (
    <div id={id} style={{ borderBottom: "1px solid var(--xp-line)" }}>
      <h2 className={classes.heading} data-level={2}>
        <Link to={to} className={classes.button} aria-describedby={`${id}-note`}>
          <span className={classes.title} data-break="anywhere">
            {title}
          </span>
          <IconArrowRight size={20} stroke={2} aria-hidden="true" data-screen-only />
        </Link>
      </h2>
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
  /** Further rows below the items: `AccordionLink`. */
  children?: ReactNode;
}

/** Renders items that open and close independently. All start closed except the one in the URL's fragment. */
export function Accordion({ items, level, children }: AccordionProps) {
  const panels = usePanels();
  return (
    <div style={{ borderTop: "1px solid var(--xp-line)" }}>
      {items.map(({ id, title, note, content }) => (
        <AccordionItem key={id} id={id} title={title} note={note} panels={panels} level={level}>
          {content}
        </AccordionItem>
      ))}
      {children}
    </div>
  );
}
