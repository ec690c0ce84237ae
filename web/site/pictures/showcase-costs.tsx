import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Label, Picture, type PictureProps, Step, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Milestone } from "./schedule-parts.tsx";

const fields = [
  { name: "Crew", before: "Concrete crew", column: "rsrc_id", after: "CONC-01" },
  { name: "Work", before: "80 h", column: "target_qty", after: "80" },
  { name: "Cost", before: "USD 9,600", column: "target_cost", after: "9600" },
];

export function ShowcaseCostsPicture(props: PictureProps) {
  return (
    <Picture {...props} height={240}>
      <path d="M0 0h384v240H0z" fill={paint("surface")} />
      <Label x={16} y={32} weight={680} text="Deck pour" />
      <Step at={0} by="draw">
        <Bar x={96} y={28} w={240} h={12} />
      </Step>
      <Step at={1}>
        <Milestone x={356} y={28} />
      </Step>
      {Array.from({ length: 10 }, (_, day) => (
        <Step key={day} at={1 + Math.floor(day / 5)}>
          <Box x={98 + day * 24} y={39} w={20} h={6} r={2} tone="actual" />
        </Step>
      ))}
      <Label x={16} y={49} tone="muted" text="10 days" />
      <Step at={3}>
        <Window x={16} y={68} w={144} h={156} title="bridge.mpp" />
      </Step>
      <Step at={6}>
        <Window x={208} y={68} w={160} h={156} title="bridge.xer" night />
      </Step>
      {fields.map(({ name, before, column, after }, index) => (
        <g key={name} transform={`translate(0 ${96 + index * 42.5})`}>
          {index > 0 ? (
            <>
              <Step at={3}>
                <path d="M17 .5h142" stroke={paint("line")} />
              </Step>
              <Step at={6}>
                <path d="M209 .5h158" stroke={paint("night-line")} />
              </Step>
            </>
          ) : null}
          <Step at={3}>
            <Label x={28} y={18} tone="muted" text={name} />
            <Label x={28} y={34} weight={680} text={before} />
          </Step>
          <Step at={7 + index} by="draw">
            <Stroke d="M160 21h46" tone="milestone" width={2} />
          </Step>
          <Step at={7 + index}>
            <Milestone x={160} y={21} r={4} />
            <Milestone x={208} y={21} r={4} />
            <Label x={222} y={18} tone="on-night-muted" mono text={column} />
            <Label x={222} y={34} tone="on-night" weight={680} text={after} />
          </Step>
        </g>
      ))}
    </Picture>
  );
}
