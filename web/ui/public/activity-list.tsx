import classes from "./activity-list.module.css";

/** What is done, as the rows of a schedule: name, description, and a bar that only the eye needs. */
export function ActivityList({ items }: { items: readonly { readonly title: string; readonly text: string }[] }) {
  return (
    <ul className={classes.list}>
      {items.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
          <span className={classes.chart} aria-hidden="true">
            <i />
          </span>
        </li>
      ))}
    </ul>
  );
}
