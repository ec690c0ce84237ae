import type { ReactNode } from "react";
import classes from "./pictures.module.css";

/** Every picture takes these: with a label it is read out, without one it is ornament. */
export interface PictureProps {
  /** What the picture shows, for those who don't see it. */
  label?: string | undefined;
  className?: string | undefined;
}

/** Names of the palette, `--xp-…` of tokens.css: they hold in both colour schemes. */
export type Tone =
  | "ink"
  | "muted"
  | "faint"
  | "surface"
  | "sunken"
  | "line"
  | "line-strong"
  | "grid"
  | "bar"
  | "bar-soft"
  | "bar-summary"
  | "milestone"
  | "critical-bar"
  | "actual"
  | "brand"
  | "brand-soft"
  | "on-brand-soft"
  | "brand-fill"
  | "on-brand-fill"
  | "accent-soft"
  | "on-accent-soft"
  | "critical-soft"
  | "on-critical-soft"
  | "night"
  | "night-raised"
  | "night-line"
  | "on-night"
  | "on-night-muted"
  | "night-brand"
  | "night-accent";

/** A colour of the palette as an SVG attribute's value: the policy of the pages allows no `style`. */
export const paint = (tone: Tone) => `var(--xp-${tone})`;

/** The frame of a picture: as wide as its place, its height known before anything loads. */
export function Picture({
  label,
  className,
  width = 384,
  height,
  floating = false,
  children,
}: PictureProps & {
  width?: number;
  height: number;
  /** Windows without a ground of their own: their shadows may fall beyond the frame. */
  floating?: boolean;
  children: ReactNode;
}) {
  return (
    <svg
      className={className ? `${classes.picture} ${className}` : classes.picture}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      focusable="false"
      data-floating={floating || undefined}
    >
      {children}
    </svg>
  );
}

/** A rectangle in a tone, with a line around it where `line` is given. */
export function Box({
  x,
  y,
  w,
  h,
  r = 4,
  tone,
  line,
  dashed = false,
}: {
  x: number;
  y: number;
  w: number;
  h: number;
  r?: number;
  tone: Tone;
  line?: Tone;
  dashed?: boolean;
}) {
  return (
    <rect
      x={x}
      y={y}
      width={w}
      height={h}
      rx={r}
      fill={paint(tone)}
      stroke={line && paint(line)}
      strokeDasharray={dashed ? "4 3" : undefined}
    />
  );
}

/** A line of text. 12 units are 11 px and more where a picture of 384 units fills a telephone's page. */
export function Label({
  x,
  y,
  tone = "ink",
  size = 12,
  weight,
  end = false,
  mono = false,
  children,
}: {
  x: number;
  y: number;
  tone?: Tone;
  size?: number;
  weight?: number;
  end?: boolean;
  mono?: boolean;
  children: ReactNode;
}) {
  return (
    <text
      className={mono ? classes.mono : undefined}
      x={x}
      y={y}
      fill={paint(tone)}
      fontSize={size}
      fontWeight={weight}
      textAnchor={end ? "end" : undefined}
    >
      {children}
    </text>
  );
}

/** Lines of one tone: relationships, connectors, rules. */
export function Stroke({
  d,
  tone = "muted",
  width = 1.25,
  dashed = false,
}: {
  d: string;
  tone?: Tone;
  width?: number;
  dashed?: boolean;
}) {
  return (
    <path
      d={d}
      fill="none"
      stroke={paint(tone)}
      strokeWidth={width}
      strokeLinejoin="round"
      strokeDasharray={dashed ? "4 3" : undefined}
    />
  );
}

const signs = {
  pass: { tone: "bar", d: "m-3 .2 2.1 2.3 3.9-4.7" },
  error: { tone: "critical-bar", d: "m-2.5-2.5 5 5m0-5-5 5" },
  warning: { tone: "milestone", d: "M0-3.4V.6M0 2.6v.8" },
  note: { tone: "actual", d: "M0-.6v4M0-3.4v.8" },
} as const;

/** The sign of a result: its form says it as well as its colour does. */
export function Mark({ x, y, kind, r = 7 }: { x: number; y: number; kind: keyof typeof signs; r?: number }) {
  const { tone, d } = signs[kind];
  return (
    <g transform={`translate(${x} ${y})`}>
      {kind === "warning" ? (
        <path d={`M0-${r + 1}l${r + 1} ${r + 1}-${r + 1} ${r + 1}-${r + 1}-${r + 1}z`} fill={paint(tone)} />
      ) : (
        <circle r={r} fill={paint(tone)} />
      )}
      <path
        d={d}
        fill="none"
        stroke={paint("surface")}
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
        transform={r === 7 ? undefined : `scale(${r / 7})`}
      />
    </g>
  );
}

/** A window with its file's name on the tab; `night` is the other tool's. */
export function Window({
  x,
  y,
  w,
  h,
  title,
  night = false,
}: {
  x: number;
  y: number;
  w: number;
  h: number;
  title?: string;
  night?: boolean;
}) {
  const line = paint(night ? "night-line" : "line");
  const top = title ? 28 : 18;
  return (
    <>
      <rect
        className={classes.window}
        x={x + 0.5}
        y={y + 0.5}
        width={w - 1}
        height={h - 1}
        rx="9.5"
        fill={paint(night ? "night" : "surface")}
        stroke={line}
      />
      <path
        d={`M${x + 0.5} ${y + top + 0.5}v${9.5 - top}a9 9 0 0 1 9-9.5h${w - 19}a9 9 0 0 1 9 9.5v${top - 9.5}z`}
        fill={paint(night ? "night-raised" : "sunken")}
        stroke={line}
      />
      <Box x={x + 12} y={y + top / 2 - 2.5} w={14} h={6} r={2} tone={night ? "night-accent" : "bar"} />
      {title ? (
        <Label x={x + 33} y={y + 18.5} tone={night ? "on-night-muted" : "muted"} weight={580}>
          {title}
        </Label>
      ) : null}
    </>
  );
}

/** Appears at its step while a showcase plays; stands there always else. */
export function Step({
  at,
  by = "rise",
  children,
}: {
  /** Its place in the order, 0 to 12. */
  at: number;
  /** Bars are drawn from their start; everything else rises. */
  by?: "draw" | "rise" | "point";
  children: ReactNode;
}) {
  return (
    <g data-motion={by} data-at={at}>
      {children}
    </g>
  );
}
