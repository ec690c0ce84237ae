import classes from "./stages.module.css";

/** Five stages drawn as bars of a schedule, or as a vertical list on narrow screens. */
export function Stages({ stages }: { stages: readonly { readonly title: string; readonly text: string }[] }) {
  return (
    <ol className={classes.stages}>
      {stages.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
