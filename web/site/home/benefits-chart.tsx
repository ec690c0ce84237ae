import { paint } from "#web/ui/pictures/paint.ts";
import classes from "./benefits-chart.module.css";

/**
 * Bars of the 14 points: length as a percentage of the chart, and product level (0 Standard, 1 Plus+, 2 Professional).
 * Each bar starts where the previous one ends. The last is a milestone.
 */
const bars = [
  [7, 0],
  [9, 0],
  [6, 0],
  [8, 0],
  [5, 0],
  [6, 0],
  [9, 0],
  [7, 0],
  [6, 0],
  [6, 0],
  [9, 1],
  [8, 1],
  [9, 2],
  [0, 2],
] as const;

const tones = ["bar", "actual", "milestone"] as const;

const drawn = bars.map(([length, level], index) => ({
  length,
  level,
  from: 1 + bars.slice(0, index).reduce((sum, [before]) => sum + before, 0),
}));

/** Decorative schedule bars, in rows of `row` px. Bars before `current` are done, and `current` fills up. */
export function BenefitsChart({ current, row, thick }: { current: number; row: number; thick: number }) {
  const edge = (row - thick) / 2;
  return (
    <svg width="100%" overflow="visible" height={drawn.length * row} aria-hidden="true" focusable="false">
      {drawn.map(({ from, length, level }, index) => {
        const y = index * row + edge;
        const state = index < current ? "done" : index === current ? "current" : "ahead";
        if (length === 0)
          return (
            <svg key={from} x={`${from + 1}%`} y={y + thick / 2} overflow="visible">
              <path
                fill={paint("milestone")}
                fillOpacity={state === "current" ? 1 : 0.22}
                stroke={paint("milestone")}
                strokeWidth="1.5"
                d={diamond(thick * 0.75)}
              />
            </svg>
          );
        return (
          <g key={from} data-state={state} fill={paint(tones[level])}>
            <rect opacity="0.22" x={`${from}%`} y={y} width={`${length}%`} height={thick} rx={thick / 4} />
            <rect className={classes.done} x={`${from}%`} y={y} width={`${length}%`} height={thick} rx={thick / 4} />
            <svg x={`${from + length}%`} y={y + thick / 2} overflow="visible" opacity={state === "done" ? 1 : 0.45}>
              <path fill="none" stroke={paint("line-strong")} strokeWidth="1.25" d={`M0 0h6v${row - thick / 2 - 4}`} />
              <path fill={paint("line-strong")} d={`M2.5 ${row - thick / 2 - 5}h7l-3.5 4.5z`} />
            </svg>
          </g>
        );
      })}
    </svg>
  );
}

const diamond = (r: number) => `M${6}-${r}l${r} ${r}-${r} ${r}-${r}-${r}z`;
