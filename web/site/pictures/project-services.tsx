import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid, Milestone, Relation, Summary } from "./schedule-parts.tsx";

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

const sources = [
  { file: "civil.mpp", tone: "bar" },
  { file: "rail.xer", tone: "night-brand" },
  { file: "power.mpp", tone: "bar" },
] as const;

export function ServiceIntegrationPicture(props: PictureProps) {
  return (
    <Picture {...props} height={264} floating>
      {sources.map(({ file, tone }, index) => {
        const y = index * 92;
        return (
          <g key={file}>
            <path
              d={`M112 ${y + 52}h30q10 0 10 ${index === 1 ? 0 : 10 - index * 10}V${72 + index * 60}h24`}
              fill="none"
              stroke={paint("line-strong")}
              strokeWidth="1.25"
            />
            <Window x={0} y={y} w={120} h={80} title={file} night={tone === "night-brand"} />
            <Bar x={16} y={y + 46} w={48 - index * 8} tone={tone} />
            <Bar x={56 - index * 8} y={y + 62} w={48} tone={tone} />
          </g>
        );
      })}
      <Window x={168} y={0} w={216} h={264} title="program.xer" />
      <Grid x={184} y={29} w={192} h={234} step={32} />
      {sources.map((source, index) => (
        <path key={source.file} d={`M168 ${67 + index * 60}l8 5-8 5z`} fill={paint("line-strong")} />
      ))}
      <Summary x={192} y={50} w={112} />
      <Bar x={192} y={72} w={56} />
      <Relation x={248} y={72} to={253} down={87} />
      <Bar x={248} y={93} w={56} tone="critical-bar" />
      <Stroke d="M304 93h8v30" tone="critical-bar" />
      <Milestone x={312} y={128} />
      <Summary x={232} y={112} w={64} />
      <Bar x={232} y={132} w={48} />
      <Stroke d="M280 132h8v22h24v-20" />
      <Stroke d="M312 134v36h10v7" tone="critical-bar" />
      <Summary x={264} y={176} w={96} />
      <Bar x={264} y={198} w={40} />
      <Bar x={316} y={192} w={40} tone="critical-bar" />
      <Stroke d="M356 192h4v28" tone="critical-bar" />
      <Milestone x={360} y={226} />
      <Label x={184} y={246} tone="muted" text="1 completion date" />
    </Picture>
  );
}
