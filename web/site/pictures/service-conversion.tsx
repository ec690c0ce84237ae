import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Label, Picture, type PictureProps, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid } from "./schedule-parts.tsx";

/** Angles of the bar in degrees, as it turns from the plan to the file. */
const turns = [0, 30, 60, 90, 120, 150, 180];

export function ServiceConversionPicture(props: PictureProps) {
  return (
    <Picture {...props} height={264} floating>
      <Window x={0} y={0} w={192} h={264} title="received.mpp" />
      <Grid x={16} y={29} w={160} h={234} step={32} />
      <Window x={192} y={0} w={192} h={264} title="returned.xer" night />
      <Grid x={208} y={29} w={160} h={234} step={32} tone="night-line" />
      {turns.map((turn) => {
        const isNight = turn > 90;
        const isTurning = turn > 0 && turn < 180;
        return (
          <g
            key={turn}
            transform={`rotate(${turn} 192 168)`}
            opacity={isTurning ? 0.28 + Math.abs(90 - turn) / 200 : 1}
          >
            <Box x={80} y={160} w={80} h={16} r={4} tone={isNight ? "night-brand" : "bar"} />
          </g>
        );
      })}
      <circle cx="192" cy="168" r="9" fill={paint("surface")} stroke={paint("line-strong")} strokeWidth="1.5" />
      <path d="M192 161l7 7-7 7-7-7z" fill={paint("milestone")} />
      <Bar x={32} y={204} w={64} h={12} />
      <Bar x={96} y={226} w={48} h={12} tone="critical-bar" />
      <Bar x={288} y={204} w={64} h={12} tone="night-brand" />
      <Bar x={240} y={226} w={48} h={12} tone="night-accent" />
      <Label x={16} y={252} tone="muted" text="1 204 activities" />
      <Label x={368} y={252} tone="on-night-muted" end text="1 204 activities" />
    </Picture>
  );
}
