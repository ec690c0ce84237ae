import classes from "./sample-badge.module.css";

/** Marks invented content of a public page. */
export function SampleBadge({ children }: { children: string }) {
  return <span className={classes.badge}>{children}</span>;
}
