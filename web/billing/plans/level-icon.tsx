import { Tag } from "#web/ui/tag.tsx";
import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Picture, type PictureProps } from "#web/ui/pictures/parts.tsx";

/** A level's name and label in web/site/content/products. */
export interface NamedLevel {
  readonly name: string;
  readonly logo: string;
  readonly label: string;
  readonly retiring: boolean;
}

/** In ascending order: each level includes the previous one. */
const levels = ["standard", "plus", "professional"] as const;

/** Icon of a level, decorative next to its name. */
export function LevelIcon({ level }: { level: NamedLevel }) {
  const icon = levels.find((name) => name === level.logo);
  return icon && <TierIcon level={icon} />;
}

/** Label such as `Flagship` or `Retiring`. */
export function LevelLabel({ level }: { level: NamedLevel }) {
  return <Tag isBrand={!level.retiring}>{level.label}</Tag>;
}

export function TierIcon({ level, ...props }: PictureProps & { level: (typeof levels)[number] }) {
  const rank = levels.indexOf(level);
  return (
    <Picture {...props} width={48} height={48}>
      <Box x={0.5} y={0.5} w={47} h={47} r={11.5} tone="surface" line="line" />
      <Box x={10} y={11} w={28} h={8} r={2.5} tone="bar" />
      {rank >= 1 ? (
        <path
          d="m11 30.5 4 4 7.5-9"
          fill="none"
          stroke={paint("actual")}
          strokeWidth="3.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ) : (
        <Box x={10} y={25} w={12} h={12} r={2.5} tone="line" />
      )}
      {rank >= 2 ? (
        <path
          d="M26 37v-4.5h3.5V37zm4.25 0v-8h3.5v8zm4.25 0V25H38v12z"
          fill={paint("milestone")}
          stroke={paint("milestone")}
          strokeLinejoin="round"
          strokeWidth=".5"
        />
      ) : (
        <Box x={26} y={25} w={12} h={12} r={2.5} tone="line" />
      )}
    </Picture>
  );
}
