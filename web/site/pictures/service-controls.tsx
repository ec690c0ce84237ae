import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Grid, Milestone } from "./schedule-parts.tsx";

/** Planned work per month. */
const months = [14, 26, 42, 60, 68, 60, 44, 28, 14];

export function ServiceControlsPicture(props: PictureProps) {
  return (
    <Picture {...props} height={264} floating>
      <Window x={0} y={0} w={384} h={264} title="Progress, month 5" />
      <Grid x={32} y={29} w={320} h={195} step={32} />
      {months.map((h, month) => (
        <Box
          key={month}
          x={38 + month * 32}
          y={224 - h}
          w={20}
          h={h}
          r={3}
          tone={month < 5 ? "bar-soft" : "sunken"}
          line={month < 5 ? "bar-soft" : "line"}
        />
      ))}
      <path d="M32 224.5h336" stroke={paint("line-strong")} />
      <Stroke d="M32 222C88 214 112 178 150 138S220 66 320 58" tone="line-strong" width={2} />
      <path
        d="M32 222c60-6 88-32 116-58 20-19 32-28 44-34"
        fill="none"
        stroke={paint("actual")}
        strokeWidth="3.5"
        strokeLinecap="round"
      />
      <Stroke d="M192 130c28-16 56-58 152-66" tone="actual" width={2} dashed />
      <Stroke d="M192 34v190" tone="critical-bar" dashed />
      <circle cx="192" cy="130" r="5.5" fill={paint("surface")} stroke={paint("actual")} strokeWidth="3" />
      <Milestone x={320} y={58} />
      <Milestone x={348} y={63} tone="critical-bar" />
      <Label x={204} y={60} tone="muted" text="Baseline" />
      <Label x={206} y={146} tone="actual" weight={580} text="Earned" />
      <Label x={262} y={112} tone="actual" text="Forecast" />
      <Label x={192} y={246} tone="muted" text="Data date" />
    </Picture>
  );
}
