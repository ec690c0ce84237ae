import { paint } from "#web/ui/pictures/paint.ts";
import { Label, Picture, type PictureProps, Step, Stroke } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid, Milestone, Relation } from "./schedule-parts.tsx";

const DAY = 68;
const AXIS = 104;

const rows = [
  { name: "Import", note: "from the site", file: "update-14.xer", from: 0, days: 1 },
  { name: "Check", note: "ten checks", file: "2 findings, fixed", from: 1, days: 1 },
  { name: "Convert", note: "log: 0 errors", file: "update-15.xer", from: 2, days: 1 },
];

export function ShowcaseMonthEndPicture(props: PictureProps) {
  return (
    <Picture {...props} height={240}>
      <path d="M0 0h384v240H0z" fill={paint("surface")} />
      <path d="M0 0h384v36H0z" fill={paint("sunken")} />
      <Grid x={AXIS} y={0} w={DAY * 4} h={240} step={DAY} />
      <path d="M0 36.5h384" stroke={paint("line")} />
      <Label x={16} y={23} tone="muted" weight={580} text="March" />
      {["28", "29", "30", "31"].map((day, index) => (
        <Label key={day} x={AXIS + index * DAY + 8} y={23} tone="muted" weight={580} text={day} />
      ))}
      {rows.map(({ name, note, file, from, days }, index) => (
        <g key={name} transform={`translate(0 ${62 + index * 50})`}>
          {index > 0 ? <path d="M0-24.5h384" stroke={paint("grid")} /> : null}
          <Label x={16} y={3} weight={680} text={name} />
          <Label x={16} y={18} tone="muted" text={note} />
          <Step at={index * 3} by="draw">
            <Bar x={AXIS + from * DAY} y={0} w={days * DAY} h={12} tone={index === 1 ? "actual" : "bar"} />
          </Step>
          <Step at={index * 3 + 1}>
            <Label
              x={AXIS + (index === 2 ? 2 * DAY - 12 : (from + days) * DAY + 16)}
              y={4}
              tone="muted"
              end={index === 2}
              text={file}
            />
          </Step>
          <Step at={index * 3 + 2}>
            {index < 2 ? (
              <Relation x={AXIS + (from + days) * DAY} y={0} to={AXIS + (from + days) * DAY + 5} down={44} />
            ) : (
              <Stroke d={`M${AXIS + 3 * DAY} 0h34v40`} />
            )}
          </Step>
        </g>
      ))}
      <path d="M0 187.5h384" stroke={paint("grid")} />
      <Label x={16} y={215} weight={680} text="Submit" />
      <Step at={10}>
        <Milestone x={AXIS + 3.5 * DAY} y={211} r={9} />
        <Label x={AXIS + 3.5 * DAY - 18} y={215} end text="XER, log and both reports" />
      </Step>
    </Picture>
  );
}
