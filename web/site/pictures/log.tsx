import { Box, Label, Mark, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid } from "./schedule-parts.tsx";

const counts = [
  { kind: "error", tone: "critical-bar", count: "1", name: "Error" },
  { kind: "warning", tone: "milestone", count: "3", name: "Warnings" },
  { kind: "note", tone: "actual", count: "146", name: "Information" },
] as const;

const lines = [
  { kind: "error", code: "A1310", text: "Relationship to a summary task" },
  { kind: "warning", code: "A1040", text: "Lag of 20 % became 16 h" },
  { kind: "warning", code: "A1180", text: "Deadline has no counterpart" },
  { kind: "note", code: "CAL", text: "5 calendars, 31 exceptions" },
  { kind: "note", code: "TASK", text: "212 activities, 388 links" },
] as const;

export function LogPicture(props: PictureProps) {
  return (
    <Picture {...props} height={304} floating>
      <Window x={48} y={0} w={336} h={128} title="interchange.xer" night />
      <Grid x={64} y={29} w={304} h={98} step={38} tone="night-line" />
      <Bar x={102} y={47} w={114} tone="night-brand" />
      <Stroke d="M216 47h38" tone="on-night-muted" />
      <Bar x={254} y={47} w={76} tone="night-accent" />
      <Mark x={352} y={47} kind="warning" />
      <Window x={0} y={64} w={336} h={240} title="interchange-log.html" />
      {counts.map(({ kind, tone, count, name }, index) => (
        <g key={kind} transform={`translate(${16 + index * 104} 104)`}>
          <Box x={0} y={0} w={96} h={4} r={2} tone={tone} />
          <Label x={0} y={31} size={22} weight={680} text={count} />
          <Label x={0} y={49} tone="muted" text={name} />
        </g>
      ))}
      <path d="M1 165.5h334" stroke="var(--xp-line)" />
      {lines.map(({ kind, code, text }, index) => (
        <g key={text} transform={`translate(0 ${184 + index * 25})`}>
          <Mark x={24} y={0} kind={kind} />
          <Label x={42} y={4} tone="muted" mono text={code} />
          <Label x={90} y={4} text={text} />
        </g>
      ))}
    </Picture>
  );
}
