import { Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid, Milestone, Relation, Summary } from "./schedule-parts.tsx";

/** Each activity's name in the plan, its code in the XER file, and the columns of its bar in both. */
const rows = [
  { name: "Piling, abutment A", code: "A1020", from: 1, to: 5, critical: true },
  { name: "Drainage", code: "A1030", from: 2, to: 7, critical: false },
  { name: "Headstock", code: "A1040", from: 5, to: 8, critical: true },
  { name: "Deck pour", code: "A1060", from: 8, to: 12, critical: true },
];

const AXIS = 144;
const COLUMN = 14;
const at = (column: number) => AXIS + column * COLUMN;

/** A schedule as a plan, and below it the same schedule as an XER file. */
export function ConversionPicture(props: PictureProps) {
  return (
    <Picture {...props} height={304} floating>
      <Window x={0} y={0} w={348} h={176} title="interchange.mpp" />
      <Grid x={at(0)} y={29} w={COLUMN * 12} h={146} step={COLUMN * 4} />
      {["Mar", "Apr", "May"].map((month, index) => (
        <Label key={month} x={at(index * 4) + 6} y={43} tone="faint" text={month} />
      ))}
      <Label x={12} y={62} weight={680} text="Interchange" />
      <Summary x={at(1)} y={58} w={COLUMN * 12} />
      {rows.map(({ name, from, to, critical }, index) => (
        <g key={name}>
          <Label x={20} y={83 + index * 21} text={name} />
          <Bar x={at(from)} y={79 + index * 21} w={(to - from) * COLUMN} tone={critical ? "critical-bar" : "bar"} />
        </g>
      ))}
      <Relation x={at(5)} y={79} to={at(5) + 5} down={116} />
      <Relation x={at(8)} y={121} to={at(8) + 5} down={137} />
      <Milestone x={at(13)} y={142} />
      <Stroke d={`M${at(12)} 142h8`} />

      <Window x={36} y={162} w={348} h={142} title="interchange.xer" night />
      <Grid x={at(0)} y={191} w={COLUMN * 12} h={112} step={COLUMN * 4} tone="night-line" />
      <path d={`M37 191h346v21H37z`} fill="var(--xp-night-line)" />
      <path d={`M37 191h4v21h-4z`} fill="var(--xp-night-brand)" />
      <Label x={50} y={206} tone="on-night" weight={680} text="Interchange" />
      <Label x={372} y={206} tone="on-night-muted" end text="WBS" />
      {rows.map(({ code, from, to, critical }, index) => (
        <g key={code}>
          <Label x={46} y={228 + index * 21} tone="on-night-muted" mono text={`${code} TT_Task`} />
          <Stroke
            d={`M${at(from)} ${224 + index * 21}h${(to - from) * COLUMN}m0-5v10M${at(from)} ${219 + index * 21}v10`}
            tone={critical ? "night-accent" : "night-brand"}
            width={2}
          />
          <path
            d={`M${at(from)} ${221 + index * 21}h${(to - from) * COLUMN}v6h${(from - to) * COLUMN}z`}
            fill={critical ? "var(--xp-night-accent)" : "var(--xp-night-brand)"}
          />
        </g>
      ))}
      <Relation x={at(5)} y={224} to={at(5) + 5} down={262} tone="on-night-muted" />
      <Relation x={at(8)} y={266} to={at(8) + 5} down={283} tone="on-night-muted" />
      <Stroke d={`M${at(13)} 148v133`} tone="milestone" dashed />
      <Milestone x={at(13)} y={287} tone="night-accent" />
    </Picture>
  );
}
