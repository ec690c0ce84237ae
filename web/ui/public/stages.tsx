import classes from "./stages.module.css";

/** Five stages as a schedule: each a bar that begins where the one before it ends; down the page on narrow screens. */
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
