import { ArrowLink } from "./arrow-link.tsx";
import layout from "./layout.module.css";
import classes from "./link-rows.module.css";

export interface LinkRow {
  readonly title: string;
  readonly text: string;
  readonly to: string;
  readonly label: string;
}

export function LinkRows({ rows }: { rows: readonly LinkRow[] }) {
  return (
    <ul className={`${layout.rows} ${classes.rows}`}>
      {rows.map(({ title, text, to, label }) => (
        <li key={to}>
          <h3>{title}</h3>
          <p>{text}</p>
          <ArrowLink to={to} label={label} isCover />
        </li>
      ))}
    </ul>
  );
}
