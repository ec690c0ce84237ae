import { Label, Mark, Picture, type PictureProps, Step, Window } from "#web/ui/pictures/parts.tsx";
import { Pointer, Ribbon } from "./ribbon.tsx";
import { Bar, Grid, Milestone, Relation } from "./schedule-parts.tsx";

const rows = [
  { name: "Cable pulling", from: 0, to: 5 },
  { name: "Switchroom fit-out", from: 1, to: 7 },
  { name: "Terminate and test", from: 7, to: 10 },
  { name: "Commission pumps", from: 10, to: 13 },
];

const records = ["%T TASK", "%R A1210 TT_Task 40 h", "%R A1220 TT_Task 48 h"];

const AXIS = 144;
const at = (column: number) => AXIS + column * 16;

export function ShowcaseExportPicture(props: PictureProps) {
  return (
    <Picture {...props} height={240}>
      <Ribbon buttons={["Export XER", "Import XER", "Field Mapping", "Health Check"]} pressed="Export XER" at={5} />
      <Grid x={AXIS} y={45} w={224} h={195} step={32} />
      {rows.map(({ name, from, to }, index) => (
        <g key={name}>
          <Label x={16} y={66 + index * 20} text={name} />
          <Step at={index} by="draw">
            <Bar x={at(from)} y={62 + index * 20} w={(to - from) * 16} />
          </Step>
        </g>
      ))}
      <Step at={3}>
        <Relation x={at(7)} y={82} to={at(7) + 5} down={97} />
        <Relation x={at(10)} y={102} to={at(10) + 5} down={117} />
        <Milestone x={at(13) + 12} y={122} />
      </Step>
      <Pointer x={56} y={28} at={4} />
      <Step at={6}>
        <Window x={144} y={140} w={228} h={88} title="pump-station.xer" night />
      </Step>
      {records.map((record, index) => (
        <Step key={record} at={7 + index}>
          <Label x={160} y={185 + index * 17} tone={index === 0 ? "night-accent" : "on-night"} mono text={record} />
        </Step>
      ))}
      <Step at={10}>
        <Mark x={24} y={174} kind="pass" />
        <Label x={40} y={178} text="0 errors" />
      </Step>
      <Step at={11}>
        <Mark x={24} y={200} kind="warning" />
        <Label x={40} y={204} text="2 warnings" />
      </Step>
    </Picture>
  );
}
