import { Band } from "#web/ui/band.tsx";
import layout from "#web/ui/layout.module.css";
import { useRef } from "react";
import { useMedia } from "#web/platform/use-media.ts";
import { useRotation, CHART_QUERY, NARROW_TIMELINE_MS, TIMELINE_MS } from "./use-rotation.ts";
import { BenefitsChart } from "./benefits-chart.tsx";
import classes from "./benefits-timeline.module.css";
import { RotationControls } from "./rotation-controls.tsx";

const ROW = 28;

interface BenefitsTimelineProps {
  heading: string;
  /** Levels in the legend of the bars. */
  levels: readonly { readonly name: string }[];
  points: readonly { readonly title: string; readonly text: string }[];
}

/**
 * Benefits as an animated schedule. Wide screens show a chart with the text of the current point, narrow screens one point
 * at a time. With reduced motion or without JavaScript, all points are shown as a list.
 */
export function BenefitsTimeline({ heading, points, levels }: BenefitsTimelineProps) {
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
            <RotationControls rotation={rotation} what="benefits" one="benefit">
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
              {levels.map(({ name }) => (
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
            <div className={classes.bars}>
              <BenefitsChart current={index} row={ROW} thick={12} />
            </div>
          </div>
        </div>
      </div>
    </Band>
  );
}
