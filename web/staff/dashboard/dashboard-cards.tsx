import type { ReactNode } from "react";
import classes from "./dashboard-cards.module.css";

/** Cards beside each other where the width allows. */
export function Cards({ children, busy }: { children: ReactNode; busy: boolean }) {
  return (
    <div className={classes.cards} aria-busy={busy || undefined}>
      {children}
    </div>
  );
}

/** A part of the dashboard. `wide` takes the whole row, `two` two thirds of it, `one` the other third. */
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

/** Figures of a card beside each other. */
export function Figures({ children }: { children: ReactNode }) {
  return <div className={classes.figures}>{children}</div>;
}

/** The cards while their figures are on their way: of the same size, so that nothing moves when they come. */
export function CardSkeletons() {
  return (
    <>
      <progress className={classes.hidden} aria-label="Loading the dashboard" />
      {(["two", "one", "half", "half", "wide", "wide"] as const).map((width, index) => (
        // Never reordered.
        // oxlint-disable-next-line react/no-array-index-key -- see above
        <div key={index} className={classes.card} data-width={width} aria-hidden="true">
          <span className={classes.bone} style={{ width: "7rem", height: "1rem" }} />
          <span className={classes.bone} style={{ width: "11rem", height: "2.25rem" }} />
          <span className={classes.bone} style={{ width: "100%", height: "8.5rem" }} />
        </div>
      ))}
    </>
  );
}
