import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { formatDocumentTitle } from "#web/platform/document-title.ts";
import classes from "./page-layout.module.css";
import { keepTogether } from "./keep-together.tsx";
import { ScheduleStrip } from "#web/ui/pictures/schedule-strip.tsx";

export interface PageLayoutProps {
  /** The `h1`, and the document's title without `documentTitle`. */
  title: string;
  documentTitle?: string;
  /** One or two sentences under the title. */
  lead?: ReactNode;
  /** Buttons for the whole page, right of the title. */
  actions?: ReactNode;
  /** Link above the title. */
  back?: { to: string; label: string };
  /**
   * `narrow` is about 30 rem (one column of fields), `form` 46 rem, `split` 64 rem (fields and a summary), `wide` the whole
   * page. Default `wide`.
   */
  width?: "narrow" | "form" | "split" | "wide";
  /** Wraps the content in a card. */
  card?: boolean;
  children?: ReactNode;
}

const widths = { narrow: "34rem", form: "52rem", split: "68rem", wide: undefined };

/** The frame of a page: back link, title, lead, actions and content. */
export function PageLayout(props: PageLayoutProps) {
  const { title, documentTitle, lead, actions, back, width = "wide", card = false, children } = props;
  return (
    <div className={classes.page} style={{ maxWidth: widths[width] }}>
      <header style={{ marginBottom: "clamp(1.5rem, 3vw, 2.25rem)" }}>
        {back && (
          <Link className={classes.back} to={back.to}>
            <span aria-hidden="true">←</span> {back.label}
          </Link>
        )}
        <div className={classes.titleRow}>
          <div>
            <ScheduleStrip />
            <PageTitle documentTitle={documentTitle}>{title}</PageTitle>
            {lead && <div className={classes.lead}>{lead}</div>}
          </div>
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      </header>
      {card ? <div className={classes.card}>{children}</div> : children}
    </div>
  );
}

export interface SplitLayoutProps extends Pick<PageLayoutProps, "title" | "lead" | "children"> {
  /** Content of the panel, which only wide screens show. */
  aside: ReactNode;
}

/** A card of fields next to a dark panel, for sign-in, registration and confirmation. */
export function SplitLayout({ title, lead, aside, children }: SplitLayoutProps) {
  return (
    <div className={classes.split}>
      <div className={classes.splitMain}>
        <ScheduleStrip />
        <PageTitle>{title}</PageTitle>
        {lead && <div className={classes.lead}>{lead}</div>}
        <div style={{ marginTop: "1.75rem" }}>{children}</div>
      </div>
      <div className={classes.aside}>
        <div className={classes.asideInner}>{aside}</div>
      </div>
    </div>
  );
}

let openedBefore = false;

export interface PageTitleProps {
  children: string;
  className?: string | undefined;
  /** The document's title if it differs from the heading: the `title` of a content file. */
  documentTitle?: string | undefined;
}

/**
 * The page's `h1`. Sets the document's title, and takes the focus on every page but the first, so screen readers start at
 * the new page's name.
 */
export function PageTitle({ children, className, documentTitle = children }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = formatDocumentTitle(documentTitle);
  }, [documentTitle]);
  useEffect(() => {
    const inField = document.activeElement?.matches("input, select, textarea");
    if (openedBefore && !inField) heading.current?.focus({ preventScroll: true });
    openedBefore = true;
  }, []);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className={className ?? classes.title}
      data-break={className ? undefined : "anywhere"}
    >
      {keepTogether(children)}
    </h1>
  );
}

export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <div className={classes.sectionHead}>
        <h2 style={{ fontSize: "1.25rem" }}>{title}</h2>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
