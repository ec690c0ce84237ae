import { Box, Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid, Milestone } from "./schedule-parts.tsx";

const AXIS = 128;
const WEEK = 20;

const rows = [
  { name: "Pile cap 3", crew: "Formwork crew", from: 0, weeks: 4, tone: "bar" },
  { name: "Deck pour", crew: "2 concrete crews", from: 4, weeks: 4, tone: "actual" },
  { name: "Barriers", crew: "Crane, 1 crew", from: 7, weeks: 4, tone: "bar" },
] as const;

/** Weekly hours of the two crews, as bar heights in drawing units. */
const weeks = [
  [18, 0],
  [30, 0],
  [34, 0],
  [34, 0],
  [10, 26],
  [0, 52],
  [0, 60],
  [16, 44],
  [26, 14],
  [30, 0],
  [16, 0],
] as const;

export function CostsAndResourcesPicture(props: PictureProps) {
  return (
    <Picture {...props} height={304} floating>
      <Window x={8} y={0} w={368} h={304} title="interchange.mpp" />
      <Grid x={AXIS} y={29} w={WEEK * 11} h={275} step={WEEK} />
      {rows.map(({ name, crew, from, weeks: length, tone }, index) => (
        <g key={name} transform={`translate(0 ${50 + index * 38})`}>
          <Label x={24} y={4} text={name} />
          <Label x={24} y={19} tone="muted" text={crew} />
          <Bar x={AXIS + from * WEEK} y={0} w={length * WEEK} h={12} tone={tone} />
          {Array.from({ length }, (_, week) => (
            <Box key={week} x={AXIS + (from + week) * WEEK + 2} y={11} w={WEEK - 4} h={4} r={1.5} tone={tone} />
          ))}
        </g>
      ))}
      <path d="M9 160.5h366" stroke="var(--xp-line)" />
      <Label x={24} y={184} tone="muted" text="Cost, USD" />
      <Label x={24} y={203} size={17} weight={680} text="184,200" />
      <Label x={24} y={237} tone="on-critical-soft" text="Crew limit" />
      <Label x={24} y={280} tone="muted" text="Crew hours" />
      {weeks.map(([one, other], week) => (
        <g key={week}>
          <Box x={AXIS + week * WEEK + 3} y={288 - one} w={WEEK - 5} h={one} r={2} tone="bar" />
          <Box x={AXIS + week * WEEK + 3} y={287 - one - other} w={WEEK - 5} h={other} r={2} tone="actual" />
        </g>
      ))}
      <Stroke d={`M${AXIS} 232.5h${WEEK * 11}`} tone="critical-bar" dashed />
      <Stroke
        d={`M${AXIS} 286C${AXIS + 60} 280 ${AXIS + 84} 262 ${AXIS + 110} 228S${AXIS + 160} 180 ${AXIS + 220} 176`}
        tone="milestone"
        width={2.5}
      />
      <Milestone x={AXIS + 220} y={176} />
      <path d={`M24 288.5h${AXIS + 220 - 24}`} stroke="var(--xp-line-strong)" />
    </Picture>
  );
}
