import { ArrowLink } from "./content-link.tsx";
import layout from "./layout.module.css";

const end = { marginTop: "3rem", paddingTop: "1.5rem", borderTop: "1px solid var(--xp-line)" };

export interface PageLinksProps {
  links: readonly { readonly label: string; readonly to: string }[];
  /** True to separate the links from the content above with a line. */
  isEnd?: boolean;
}

export function PageLinks({ links, isEnd = false }: PageLinksProps) {
  return (
    <ul className={layout.actions} style={isEnd ? end : undefined} data-screen-only>
      {links.map((link) => (
        <li key={link.to}>
          <ArrowLink {...link} />
        </li>
      ))}
    </ul>
  );
}
