import classes from "./section-nav.module.css";

export interface SectionNavProps {
  /** Names the navigation for screen readers. */
  label: string;
  sections: readonly { readonly id: string; readonly title: string }[];
}

/** The sections of a long page, to go to. */
export function SectionNav({ label, sections }: SectionNavProps) {
  return (
    <nav className={classes.nav} aria-label={label}>
      <ul>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
