import { TierIcon } from "#web/ui/pictures/tier-icon.tsx";
import { Tag } from "#web/ui/tag.tsx";

/** A level's name and label in web/site/content/products. */
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
  return icon && <TierIcon level={icon} />;
}

/** Label such as `Flagship` or `Retiring`. */
export function LevelLabel({ level }: { level: NamedLevel }) {
  return <Tag isBrand={!level.retiring}>{level.label}</Tag>;
}
