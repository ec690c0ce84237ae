import classes from "./logo.module.css";

/** The logo: two schedules that swap places. Its colours depend on the background. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <g fill="none" strokeWidth="4.2" strokeLinejoin="round">
        <path className={classes.first} d="M1 9h8.5l3.9 3.9M18.6 18.1l3.9 3.9H31" />
        <path className={classes.second} d="M1 23h8.5L22.5 9H31" />
      </g>
    </svg>
  );
}

/** Logo and name, with the first word in bold. */
export function Wordmark({ name, size = 28 }: { name: { first: string; rest: string }; size?: number }) {
  return (
    <span className={classes.wordmark}>
      <Mark size={size} />
      <span>
        <b>{name.first}</b> {name.rest}
      </span>
    </span>
  );
}
