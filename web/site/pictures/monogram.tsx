import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Picture, type PictureProps } from "#web/ui/pictures/parts.tsx";
import classes from "#web/ui/pictures/pictures.module.css";
import { Grid, Milestone } from "./schedule-parts.tsx";

const tints = [
  { ground: "brand-soft", text: "on-brand-soft", bar: "bar" },
  { ground: "accent-soft", text: "on-accent-soft", bar: "milestone" },
  { ground: "sunken", text: "ink", bar: "actual" },
  { ground: "night", text: "on-night", bar: "night-brand" },
] as const;

/** A portrait without a photo: initials over a small schedule that varies with them. */
export function Monogram({ initials, ...props }: PictureProps & { initials: string }) {
  const [first = 0, second = 0] = Array.from(initials, (letter) => letter.codePointAt(0) ?? 0);
  const { ground, text, bar } = tints[(first + second) % tints.length] ?? tints[0];
  const turn = 40 + (first % 4) * 8;
  const end = turn + 16 + (second % 3) * 8;
  return (
    <Picture {...props} width={128} height={128}>
      <Box x={0} y={0} w={128} h={128} r={24} tone={ground} />
      <g opacity=".08">
        <Grid x={24} y={0} w={80} h={128} step={16} tone={text} />
      </g>
      <text className={classes.initials} x="64" y="73" fill={paint(text)} textAnchor="middle">
        {initials}
      </text>
      <Box x={24} y={92} w={turn - 24} h={8} r={2.5} tone={bar} />
      <Box x={turn} y={106} w={end - turn} h={8} r={2.5} tone={bar} />
      <Milestone x={104} y={110} r={6} tone={bar} />
    </Picture>
  );
}
