import { TierIcon } from "#web/features/pictures/tier-icon.tsx";
import { Badge } from "#web/ui/badge.tsx";
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

/** `Flagship` or `Retiring`. */
export function LevelLabel({ level }: { level: NamedLevel }) {
  return <Badge tone={level.retiring ? "notice" : "calm"}>{level.label}</Badge>;
}
