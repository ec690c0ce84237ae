import { IconArrowRight } from "@tabler/icons-react";
import { ContentLink } from "./content-link.tsx";
import classes from "./layout.module.css";

/** A link with an arrow. `isCover` makes the whole surrounding row or card clickable. */
export function ArrowLink({ to, label, isCover = false }: { to: string; label: string; isCover?: boolean }) {
  return (
    <ContentLink to={to} className={isCover ? `${classes.link} ${classes.cover}` : `${classes.link}`}>
      {label}
      <IconArrowRight size={17} stroke={2} aria-hidden="true" />
    </ContentLink>
  );
}
