import { paint } from "#web/ui/pictures/paint.ts";
import { Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid, Milestone, Relation, Summary } from "./schedule-parts.tsx";

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
