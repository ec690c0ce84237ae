import { Label, Picture, type PictureProps, paint, Window } from "./parts.tsx";
import { Bar, Grid, Relation } from "./schedule-parts.tsx";

const chapters = [
  { name: "The plan", x: 16, w: 88 },
  { name: "Export XER", x: 108, w: 132 },
  { name: "The log", x: 244, w: 124 },
];

/** The poster of the demonstration: a plan, its XER file, and the chapters as a schedule of three minutes. */
export function DemonstrationPicture(props: PictureProps) {
  return (
    <Picture {...props} height={216}>
      <path d="M0 0h384v216H0z" fill={paint("night")} />
      <Grid x={32} y={0} w={320} h={216} step={32} tone="night-raised" />
      <Window x={24} y={16} w={248} h={120} title="pump-station.mpp" />
      <Grid x={128} y={45} w={128} h={90} step={32} />
      {["Cable pulling", "Fit-out", "Terminate"].map((name, row) => (
        <Label key={name} x={36} y={66 + row * 22}>
          {name}
        </Label>
      ))}
      <Bar x={128} y={62} w={64} />
      <Relation x={192} y={62} to={197} down={79} />
      <Bar x={192} y={84} w={48} tone="critical-bar" />
      <Bar x={144} y={106} w={64} />
      <Window x={168} y={98} w={192} h={66} title="pump-station.xer" night />
      <Label x={184} y={148} tone="on-night" mono>
        <tspan fill={paint("night-accent")}>%R</tspan> A1210 TT_Task
      </Label>
      {chapters.map(({ name, x, w }, index) => (
        <g key={name}>
          <Bar x={x} y={184} w={w} h={8} tone={index === 1 ? "night-accent" : "night-brand"} />
          <Label x={x} y={205} tone="on-night-muted">
            {name}
          </Label>
        </g>
      ))}
    </Picture>
  );
}
