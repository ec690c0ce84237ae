import type { ReactNode } from "react";
import classes from "./dashboard-cards.module.css";

/** Lays out cards next to each other where the width allows. */
export function Cards({ children, busy }: { children: ReactNode; busy: boolean }) {
  return (
    <div className={classes.cards} aria-busy={busy || undefined}>
      {children}
    </div>
  );
}

/** Shows a section of the dashboard. `wide` takes a whole row, `two` two thirds, `half` a half and `one` a third. */
export function Card(props: {
  title: string;
  width: "wide" | "two" | "one" | "half";
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { title, width, aside, children } = props;
  return (
    <section className={classes.card} data-width={width}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        {aside && <p className={classes.aside}>{aside}</p>}
      </header>
      {children}
    </section>
  );
}

/** Lays out the figures of a card next to each other. */
export function Figures({ children }: { children: ReactNode }) {
  return <div className={classes.figures}>{children}</div>;
}

/** Shows placeholders of the same size while the cards load, so that the layout doesn't shift. */
export function CardSkeletons() {
  return (
    <>
      <progress className={classes.hidden} aria-label="Loading the dashboard" />
      {(["two", "one", "half", "half", "wide", "wide"] as const).map((width, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the placeholders are never reordered
        <div key={index} className={classes.card} data-width={width} aria-hidden="true">
          <span className={classes.bone} style={{ width: "7rem", height: "1rem" }} />
          <span className={classes.bone} style={{ width: "11rem", height: "2.25rem" }} />
          <span className={classes.bone} style={{ width: "100%", height: "8.5rem" }} />
        </div>
      ))}
    </>
  );
}
