import { TierIcon } from "#web/pictures/tier-icon.tsx";
import classes from "./level-icon.module.css";

/** A level's name and label in web/content/products. */
export interface NamedLevel {
  readonly name: string;
  readonly logo: string;
  readonly label: string;
  readonly retiring: boolean;
}

const icons = ["standard", "plus", "professional"] as const;

/** Icon of a level, decorative next to its name. */
export function LevelIcon({ level }: { level: NamedLevel }) {
  const icon = icons.find((name) => name === level.logo);
  return <span className={classes.icon}>{icon && <TierIcon level={icon} />}</span>;
}

/** Label such as `Flagship` or `Retiring`. Doesn't use `Badge`, which would load more of the portal on public pages. */
export function LevelLabel({ level }: { level: NamedLevel }) {
  return (
    <span className={classes.label} data-retiring={level.retiring || undefined}>
      {level.label}
    </span>
  );
}
