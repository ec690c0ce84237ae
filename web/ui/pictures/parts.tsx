import type { ReactNode } from "react";
import { paint, type Tone } from "./paint.ts";
import classes from "./pictures.module.css";

/** Props of every picture. A picture without a label is decorative. */
export interface PictureProps {
  /** Accessible description. */
  label?: string | undefined;
}

export interface Place {
  x: number;
  y: number;
}

export interface Area extends Place {
  w: number;
  h: number;
}

/** The frame of a picture, as wide as its container, with a fixed aspect ratio. */
export function Picture({
  label,
  width = 384,
  height,
  floating = false,
  children,
}: PictureProps & {
  width?: number;
  height: number;
  /** For windows without a background, so that their shadows are not clipped. */
  floating?: boolean;
  children: ReactNode;
}) {
  return (
    <svg
      className={classes.picture}
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

type BoxProps = Area & { r?: number; tone: Tone; line?: Tone; dashed?: boolean };

export function Box({ x, y, w, h, r = 4, tone, line, dashed = false }: BoxProps) {
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

interface LabelProps extends Place {
  text: string | number;
  tone?: Tone;
  size?: number;
  weight?: number | undefined;
  end?: boolean;
  mono?: boolean;
}

/** A line of text. 12 units are at least 11 px on a phone. */
export function Label({ x, y, text, tone = "ink", size = 12, weight, end = false, mono = false }: LabelProps) {
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
      {text}
    </text>
  );
}

interface StrokeProps {
  d: string;
  tone?: Tone;
  width?: number;
  dashed?: boolean;
}

export function Stroke({ d, tone = "muted", width = 1.25, dashed = false }: StrokeProps) {
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

/** Mark for a result. Its shape conveys the meaning as well as its colour does. */
export function Mark({ x, y, kind, r = 7 }: Place & { kind: keyof typeof signs; r?: number }) {
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

/** A window with a file name. `night` draws it dark, to show that it belongs to the other tool. */
export function Window({ x, y, w, h, title, night = false }: Area & { title?: string; night?: boolean }) {
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
        <Label x={x + 33} y={y + 18.5} tone={night ? "on-night-muted" : "muted"} weight={580} text={title} />
      ) : null}
    </>
  );
}

interface StepProps {
  /** Position in the sequence, 0 to 12. */
  at: number;
  /** Bars are drawn from their start; everything else rises. */
  by?: "draw" | "rise" | "point";
  children: ReactNode;
}

/** Appears at its step while a showcase plays; otherwise always visible. */
export function Step({ at, by = "rise", children }: StepProps) {
  return (
    <g data-motion={by} data-at={at}>
      {children}
    </g>
  );
}
