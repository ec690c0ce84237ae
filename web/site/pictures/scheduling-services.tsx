import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Ghost, Grid, Milestone, Relation } from "./schedule-parts.tsx";

/** Angles of the bar in degrees, as it turns from the plan to the file. */
const turns = [0, 30, 60, 90, 120, 150, 180];

export function ServiceConversionPicture(props: PictureProps) {
  return (
    <Picture {...props} height={264} floating>
      <Window x={0} y={0} w={192} h={264} title="received.mpp" />
      <Grid x={16} y={29} w={160} h={234} step={32} />
      <Window x={192} y={0} w={192} h={264} title="returned.xer" night />
      <Grid x={208} y={29} w={160} h={234} step={32} tone="night-line" />
      {turns.map((turn) => {
        const isNight = turn > 90;
        const isTurning = turn > 0 && turn < 180;
        return (
          <g
            key={turn}
            transform={`rotate(${turn} 192 168)`}
            opacity={isTurning ? 0.28 + Math.abs(90 - turn) / 200 : 1}
          >
            <Box x={80} y={160} w={80} h={16} r={4} tone={isNight ? "night-brand" : "bar"} />
          </g>
        );
      })}
      <circle cx="192" cy="168" r="9" fill={paint("surface")} stroke={paint("line-strong")} strokeWidth="1.5" />
      <path d="M192 161l7 7-7 7-7-7z" fill={paint("milestone")} />
      <Bar x={32} y={204} w={64} h={12} />
      <Bar x={96} y={226} w={48} h={12} tone="critical-bar" />
      <Bar x={288} y={204} w={64} h={12} tone="night-brand" />
      <Bar x={240} y={226} w={48} h={12} tone="night-accent" />
      <Label x={16} y={252} tone="muted" text="1 204 activities" />
      <Label x={368} y={252} tone="on-night-muted" end text="1 204 activities" />
    </Picture>
  );
}

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
