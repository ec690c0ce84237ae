import type { ReactNode, SVGProps } from "react";
import { paint } from "./paint.ts";

/** A drawing, named by its meaning. */
export type Scene =
  /** A timescale before its first bar. */
  | "empty"
  /** A relationship without its successor. */
  | "missing"
  /** A bar stopped by a constraint. */
  | "barred"
  /** Bars out of order. */
  | "broken"
  /** Work stopped at the data date. */
  | "paused"
  /** Every bar complete, up to its milestone. */
  | "done";

/** A small decorative schedule for empty lists and error pages. */
export function ScheduleArt({ scene, width }: { scene: Scene; width: number }) {
  return (
    <svg
      viewBox="0 0 320 176"
      width={width}
      style={{ maxWidth: "100%", height: "auto" }}
      aria-hidden="true"
      focusable="false"
    >
      <rect fill={paint("surface")} stroke={paint("line")} x=".5" y=".5" width="319" height="175" rx="12" />
      <g stroke={paint("grid")}>
        {[40, 80, 120, 160, 200, 240, 280].map((x) => (
          <line key={x} x1={x} x2={x} y1="25" y2="176" />
        ))}
        <line x1="0" x2="320" y1="25" y2="25" />
      </g>
      <g fill={paint("line")}>
        {[12, 52, 92, 132, 172, 212, 252, 292].map((x) => (
          <rect key={x} x={x} y="10" width="16" height="5" rx="2.5" />
        ))}
      </g>
      {scenes[scene]}
    </svg>
  );
}

const ghost = { fill: paint("line"), stroke: paint("line-strong"), strokeDasharray: "3 3" };
const link: SVGProps<SVGPathElement> = { fill: "none", stroke: paint("muted"), strokeWidth: 1.5 };
const ghostLink: typeof link = { ...link, stroke: paint("line-strong"), strokeDasharray: "3 3" };
const criticalLink: typeof link = { ...link, stroke: paint("critical-bar") };

const bar = (x: number, y: number, width: number, look: SVGProps<SVGRectElement> = { fill: paint("bar") }) => (
  <rect {...look} x={x} y={y} width={width} height="14" rx="3" />
);

const milestone = (x: number, y: number) => <path fill={paint("milestone")} d={`M${x} ${y - 9}l9 9-9 9-9-9z`} />;

const scenes: Record<Scene, ReactNode> = {
  empty: (
    <>
      {bar(24, 46, 96, ghost)}
      <path {...ghostLink} d="M120 53h12v33h12" />
      {bar(144, 79, 72, ghost)}
      <path {...ghostLink} d="M216 86h12v33h12" />
      {bar(240, 112, 48, ghost)}
      {milestone(296, 150)}
    </>
  ),
  missing: (
    <>
      {bar(24, 46, 88)}
      <path {...link} d="M112 53h14v34h14" />
      {bar(140, 80, 60)}
      <path {...ghostLink} d="M200 87h14v34h16" />
      {bar(232, 114, 56, ghost)}
      <text fill={paint("muted")} fontSize="22" fontWeight="650" textAnchor="middle" x="260" y="152">
        ?
      </text>
    </>
  ),
  barred: (
    <>
      {bar(24, 46, 70)}
      <path {...link} d="M94 53h14v34h14" />
      {bar(122, 80, 78)}
      <line stroke={paint("critical-bar")} strokeWidth="2" x1="208" x2="208" y1="34" y2="164" />
      {bar(216, 112, 80, ghost)}
      <path fill={paint("critical-bar")} d="M208 74l-9-7v14z" />
    </>
  ),
  broken: (
    <>
      {bar(24, 46, 104)}
      <path {...criticalLink} d="M128 53h18v26M146 97v22h14" />
      <path {...criticalLink} d="M138 84l16 4M138 92l16 4" />
      {bar(160, 112, 64, { fill: paint("critical-bar") })}
      {bar(84, 140, 92, ghost)}
      {milestone(252, 119)}
    </>
  ),
  done: (
    <>
      {bar(24, 46, 96)}
      <path {...link} d="M120 53h12v33h12" />
      {bar(144, 79, 72)}
      <path {...link} d="M216 86h12v33h12" />
      {bar(240, 112, 48)}
      {milestone(296, 150)}
    </>
  ),
  paused: (
    <>
      {bar(24, 46, 104)}
      {bar(68, 76, 76)}
      {bar(144, 76, 48, ghost)}
      {bar(144, 106, 96, ghost)}
      {bar(208, 136, 72, ghost)}
      <line stroke={paint("milestone")} strokeWidth="2" x1="144" x2="144" y1="30" y2="168" />
      {milestone(144, 32)}
    </>
  ),
};
