import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Ghost, Grid, Milestone, Relation } from "./schedule-parts.tsx";

const rows = ["Update 6", "Baseline B", "Comments", "Look-ahead"];

export function ServiceSupportPicture(props: PictureProps) {
  return (
    <Picture {...props} height={264} floating>
      <Window x={0} y={0} w={384} h={264} title="Before the submission" />
      <Grid x={128} y={29} w={224} h={234} step={32} />
      {rows.map((name, row) => (
        <Label key={name} x={16} y={72 + row * 48} weight={row === 1 ? 680 : undefined} text={name} />
      ))}
      <Bar x={128} y={68} w={64} h={14} />
      <Relation x={192} y={68} to={200} down={109} />
      <Ghost x={192} y={116} w={112} h={16} />
      <Stroke d="M304 116h14v39" tone="line-strong" dashed />
      <Bar x={144} y={164} w={80} h={14} />
      <Bar x={304} y={164} w={40} h={14} />
      <Bar x={160} y={212} w={96} h={14} />
      <Stroke d="M344 164h8v38" />
      <Milestone x={352} y={212} r={8} />
      <Stroke d="M232 94v8M296 90v12" tone="on-accent-soft" />
      <g transform="rotate(-4 272 74)">
        <Box x={216} y={58} w={112} h={26} r={5} tone="milestone" />
        <text x="272" y="75.5" fill={paint("night")} fontSize="12" fontWeight="680" textAnchor="middle">
          Our planner
        </text>
      </g>
      <Label x={16} y={248} tone="muted" text="Submission in 9 days" />
    </Picture>
  );
}
