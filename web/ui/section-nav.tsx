import classes from "./section-nav.module.css";

export interface SectionNavProps {
  /** Accessible name of the navigation. */
  label: string;
  sections: readonly { readonly id: string; readonly title: string }[];
}

export function SectionNav({ label, sections }: SectionNavProps) {
  return (
    <nav className={classes.nav} aria-label={label} data-screen-only>
      <ul data-tones>
        {sections.map(({ id, title }) => (
          <li key={id} style={{ borderTop: "0.375rem solid var(--tone)" }}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
