import content from "content:home";
import levels from "content:levels";
import { Band } from "#web/ui/band.tsx";
import layout from "#web/ui/layout.module.css";
import { useRef } from "react";
import { useMedia } from "#web/platform/use-media.ts";
import classes from "./benefits-timeline.module.css";
import { CHART_QUERY, NARROW_TIMELINE_MS, RotationControls, TIMELINE_MS, useRotation } from "./rotation-controls.tsx";
import { paint } from "#web/ui/pictures/paint.ts";

const ROW = 28;

const { heading, points } = content.timeline;

/**
 * Benefits as an animated schedule. Wide screens show a chart with the text of the current point, narrow screens one point
 * at a time. With reduced motion or without JavaScript, all points are shown as a list.
 */
export function BenefitsTimeline() {
  const area = useRef<HTMLDivElement>(null);
  const isChart = useMedia(CHART_QUERY);
  const rotation = useRotation(area, points.length, isChart ? TIMELINE_MS : NARROW_TIMELINE_MS);
  const { index, isPlaying, isMoving, goTo } = rotation;
  return (
    <Band id="benefits" hasOwnTitle tone="surface">
      <div
        ref={area}
        className={classes.inner}
        data-playing={isPlaying || undefined}
        data-moving={isMoving || undefined}
      >
        <h2 id="benefits-title" style={{ maxWidth: "30ch", marginBottom: "2rem" }}>
          {heading}
        </h2>
        <div className={classes.work} {...rotation.area}>
          <div className={classes.controls}>
            <RotationControls rotation={rotation} item="benefit">
              <span className={layout.note} style={{ minWidth: "5.5rem", textAlign: "center" }}>
                {index + 1} of {points.length}
              </span>
            </RotationControls>
          </div>
          <ol className={`${layout.columns} ${classes.points}`} aria-live={isMoving ? "off" : "polite"}>
            {points.map(({ title, text }, position) => (
              <li key={title} data-current={position === index || undefined}>
                <h3>{title}</h3>
                <p>{text}</p>
              </li>
            ))}
          </ol>
          <div className={`${layout.card} ${classes.small}`}>
            <BenefitsChart current={index} row={10} thick={6} />
          </div>
          <div className={`${layout.card} ${classes.chart}`}>
            <p className={classes.legend} data-tones>
              {levels.toReversed().map(({ name }) => (
                <span key={name}>{name}</span>
              ))}
            </p>
            <ul style={{ paddingBlock: "0.5rem" }}>
              {points.map(({ title }, position) => (
                <li key={title}>
                  <button
                    type="button"
                    className={classes.row}
                    aria-current={position === index ? "step" : undefined}
                    data-done={position < index || undefined}
                    onClick={() => goTo(position)}
                  >
                    {title}
                  </button>
                </li>
              ))}
            </ul>
            <div
              style={{
                position: "absolute",
                inset: "auto 0.75rem 0.5rem calc(var(--names) + 0.5rem)",
                pointerEvents: "none",
              }}
            >
              <BenefitsChart current={index} row={ROW} thick={12} />
            </div>
          </div>
        </div>
      </div>
    </Band>
  );
}

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
function BenefitsChart({ current, row, thick }: { current: number; row: number; thick: number }) {
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
