import { Box, Label, Mark, Picture, type PictureProps, Step } from "#web/ui/pictures/parts.tsx";
import { Pointer, Ribbon } from "./ribbon.tsx";

const failing = new Set([0, 4]);

const found = [
  { code: "A1180", name: "Cable pulling" },
  { code: "A1240", name: "Backfill, pit 2" },
  { code: "A1310", name: "Duct bank, level 3" },
  { code: "A1420", name: "Pile cap 3" },
];

export function ShowcaseHealthPicture(props: PictureProps) {
  return (
    <Picture {...props} height={240}>
      <Ribbon buttons={["Health Check", "Conversion Analysis", "Export XER"]} pressed="Health Check" at={1} />
      <Step at={6}>
        <Label x={16} y={75} size={17} weight={680} text="8 of 10" />
        <Label x={16} y={93} tone="muted" text="checks passed" />
      </Step>
      {Array.from({ length: 10 }, (_, index) => (
        <g key={index} transform={`translate(${16 + (index % 2) * 56} ${106 + Math.floor(index / 2) * 25})`}>
          <Step at={2 + Math.floor(index / 2)}>
            <Box x={0.5} y={0.5} w={49} h={19} r={5} tone={failing.has(index) ? "critical-soft" : "brand-soft"} />
            <Mark x={25} y={10} kind={failing.has(index) ? "error" : "pass"} r={6} />
          </Step>
        </g>
      ))}
      <path d="M142.5 45v195" stroke="var(--xp-line)" />
      <Step at={7}>
        <Label x={158} y={75} size={17} weight={680} text="Logic" />
        <Label x={158} y={93} tone="muted" text="4 without a successor" />
      </Step>
      {found.map(({ code, name }, index) => (
        <g key={code} transform={`translate(158 ${106 + index * 32})`}>
          <Step at={8 + index}>
            <Box x={0.5} y={0.5} w={209} h={25} r={5} tone="surface" line="line" />
            <Box x={0} y={0} w={4} h={26} r={2} tone="critical-bar" />
            <Label x={16} y={17} tone="muted" mono text={code} />
            <Label x={66} y={17} text={name} />
          </Step>
        </g>
      ))}
      <Pointer x={58} y={28} at={0} />
    </Picture>
  );
}
