import { TierIcon } from "#web/ui/pictures/tier-icon.tsx";
import classes from "./level-mark.module.css";

/** How the content of web/content/products names and labels a level. */
export interface NamedLevel {
  readonly name: string;
  readonly logo: string;
  readonly label: string;
  readonly retiring: boolean;
}

const icons = ["standard", "plus", "professional"] as const;

/** The icon of a level; ornament beside its name. */
export function LevelIcon({ level }: { level: NamedLevel }) {
  const icon = icons.find((name) => name === level.logo);
  return <span className={classes.icon}>{icon && <TierIcon level={icon} />}</span>;
}

/** `Flagship` or `Retiring`; no `Badge`, which comes with other parts of the portal that public pages do without. */
export function LevelLabel({ level }: { level: NamedLevel }) {
  return (
    <span className={classes.label} data-retiring={level.retiring || undefined}>
      {level.label}
    </span>
  );
}
