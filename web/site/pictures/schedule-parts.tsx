import { paint, type Tone } from "#web/ui/pictures/paint.ts";
import { type Area, Box, type Place, Stroke } from "#web/ui/pictures/parts.tsx";

export function Grid({ x, y, w, h, step, tone = "grid" }: Area & { step: number; tone?: Tone }) {
  const lines = Array.from({ length: Math.floor(w / step) + 1 }, (_, index) => `M${x + index * step + 0.5} ${y}v${h}`);
  return <Stroke d={lines.join("")} tone={tone} width={1} />;
}

/** An activity's bar, centred on `y`. */
export function Bar({ x, y, w, h = 10, tone = "bar" }: Place & { w: number; h?: number; tone?: Tone }) {
  return <Box x={x} y={y - h / 2} w={w} h={h} r={3} tone={tone} />;
}

/** The dashed outline of planned work, centred on `y`. */
export function Ghost({ x, y, w, h }: Area) {
  return <Box x={x + 0.5} y={y - h / 2 + 0.5} w={w - 1} h={h - 1} r={3} tone="sunken" line="line-strong" dashed />;
}

/** The bracket of a summary task, centred on `y`. */
export function Summary({ x, y, w }: Place & { w: number }) {
  return <path d={`M${x} ${y - 4}h${w}v9l-5-5h${10 - w}l-5 5z`} fill={paint("bar-summary")} />;
}

export function Milestone({ x, y, r = 6, tone = "milestone" }: Place & { r?: number; tone?: Tone }) {
  return <path d={`M${x} ${y - r}l${r} ${r}-${r} ${r}-${r}-${r}z`} fill={paint(tone)} />;
}

/** A relationship: from the end of a bar across to `to`, then down to the next bar at `down`. */
export function Relation({ x, y, to, down, tone = "muted" }: Place & { to: number; down: number; tone?: Tone }) {
  return (
    <>
      <Stroke d={`M${x} ${y}H${to}V${down - 3}`} tone={tone} />
      <path d={`M${to - 3} ${down - 4.5}h6l-3 4.5z`} fill={paint(tone)} />
    </>
  );
}
