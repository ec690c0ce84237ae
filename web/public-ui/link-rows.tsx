import { IconArrowRight } from "@tabler/icons-react";
import { ContentLink } from "#web/ui/content-link.tsx";
import classes from "./link-rows.module.css";

export interface LinkRow {
  readonly title: string;
  readonly text: string;
  readonly to: string;
  readonly label: string;
}

export function LinkRows({ rows }: { rows: readonly LinkRow[] }) {
  return (
    <ul className={classes.rows}>
      {rows.map(({ title, text, to, label }) => (
        <li key={to}>
          <h3>{title}</h3>
          <p>{text}</p>
          <ContentLink to={to} className={classes.link}>
            {label}
            <IconArrowRight size={18} stroke={2} aria-hidden="true" />
          </ContentLink>
        </li>
      ))}
    </ul>
  );
}
