import { ArrowLink } from "./content-link.tsx";
import classes from "./page-links.module.css";

export interface PageLinksProps {
  links: readonly { readonly label: string; readonly to: string }[];
  /** True to separate the links from the content above with a line. */
  isEnd?: boolean;
}

export function PageLinks({ links, isEnd = false }: PageLinksProps) {
  return (
    <ul className={classes.links} data-end={isEnd || undefined} data-screen-only>
      {links.map((link) => (
        <li key={link.to}>
          <ArrowLink {...link} />
        </li>
      ))}
    </ul>
  );
}
