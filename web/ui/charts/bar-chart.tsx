import { type PointerEvent, useState } from "react";
import { formatNumber } from "#schema/numbers.ts";
import classes from "./bar-chart.module.css";

/** The axis of a chart: its upper end and tick values from 0. */
interface Scale {
  readonly top: number;
  readonly ticks: readonly number[];
}

/** Highest number of grid lines above zero. More would be hard to read in a small chart. */
const MOST_STEPS = 4;

/**
 * Returns a scale up to at least `most`, in steps of 1, 2 or 5 times a power of ten. Values are whole numbers, so steps are at
 * least 1.
 */
export function buildScale(most: number): Scale {
  const rough = Math.max(most / MOST_STEPS, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10) * power;
  const steps = Math.max(1, Math.ceil(most / step - 1e-9));
  return { top: step * steps, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) };
}

export interface BarPoint {
  key: string;
  /** Text under the bar and in the table: `12 Nov`. */
  label: string;
  /** Shorter text under the bar, if the label is too wide for it. */
  short?: string;
  /** Not negative. */
  value: number;
  /** The filled part of the bar, for the share of `value` that `partName` describes. */
  part?: number;
}

export interface BarChartProps {
  /** Title of the chart: `Validations a day`. */
  label: string;
  /** At most 100, in order. */
  points: readonly BarPoint[];
  /** Formats a value for text and table. Default: a whole number. */
  format?: (value: number) => string;
  /** Formats a value for the axis. Default: `format`. */
  formatTick?: (value: number) => string;
  /** Height of the plot in pixels. Default 180. */
  height?: number;
  /** `spark` has neither axis nor grid, for a small chart on a card. */
  look?: "plot" | "spark";
  tone?: "calm" | "critical";
  /** Names of `value` and `part` if points have parts: `started` and `converted`. */
  valueName?: string;
  partName?: string;
  /** Title of the table's first column. Default Date. */
  keyTitle?: string;
  /** Message if there is nothing to draw. */
  emptyMessage?: string;
  /** Accessible name of the chart. Default: range, sum and highest value. */
  description?: string;
}

/** Highest number of labels under the axis. Narrow charts show every other one. */
const MOST_LABELS = 7;

const wholeNumber = (value: number) => formatNumber(value);

/** A responsive bar chart. Users read the values with the pointer, with the arrow keys, or in a table that they can open. */
export function BarChart(props: BarChartProps) {
  const {
    label,
    points,
    format = wholeNumber,
    formatTick = format,
    height = 180,
    look = "plot",
    tone = "calm",
  } = props;
  const { valueName = "", partName, keyTitle = "Date", emptyMessage = "No data for this period." } = props;
  const [read, setRead] = useState<number>();
  const count = points.length;
  const total = points.reduce((sum, { value }) => sum + value, 0);
  if (count === 0 || total === 0)
    return (
      <div className={classes.empty} data-look={look} style={{ minHeight: height }}>
        <p>{emptyMessage}</p>
      </div>
    );

  const { top, ticks } = buildScale(Math.max(...points.map(({ value }) => value)));
  const slot = 100 / count;
  const wide = Math.min(slot * (count > 60 ? 0.82 : 0.7), 7);
  const step = Math.ceil(count / MOST_LABELS);
  const describePoint = ({ label: at, value, part }: BarPoint) =>
    `${at}: ${format(value)}${valueName && ` ${valueName}`}${part === undefined ? "" : `, ${format(part)} ${partName}`}`;
  const readFrom = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / (width || 1)) * count);
    setRead(Math.min(count - 1, Math.max(0, index)));
  };
  const shown = read === undefined ? undefined : points[Math.min(read, count - 1)];
  const middle = slot * (Math.min(read ?? 0, count - 1) + 0.5);

  return (
    <figure className={classes.chart} data-look={look} data-tone={tone}>
      <div className={classes.frame}>
        {look === "plot" && (
          <div className={classes.ticks} aria-hidden="true">
            {ticks.map((tick) => (
              <span key={tick}>{formatTick(tick)}</span>
            ))}
          </div>
        )}
        <div
          className={classes.plot}
          style={{ height }}
          onPointerMove={readFrom}
          onPointerDown={readFrom}
          onPointerLeave={() => setRead(undefined)}
        >
          <svg
            role="img"
            aria-label={props.description ?? describeChart(label, points, format, total)}
            width="100%"
            height="100%"
          >
            {look === "plot" &&
              ticks.map((tick) => (
                <line
                  key={tick}
                  className={classes.grid}
                  x1="0"
                  x2="100%"
                  y1={getTickPosition(tick)}
                  y2={getTickPosition(tick)}
                />
              ))}
            {points.map((point, index) => {
              const bar = { x: `${slot * (index + 0.5) - wide / 2}%`, width: `${wide}%`, rx: 2 };
              const state = {
                "data-read": shown === point || undefined,
                "data-faded": shown ? shown !== point : undefined,
              };
              return (
                <g
                  key={point.key}
                  className={classes.bar}
                  data-split={point.part !== undefined || undefined}
                  {...state}
                >
                  <rect className={classes.whole} {...bar} {...upTo(point.value)} />
                  {point.part !== undefined && <rect className={classes.part} {...bar} {...upTo(point.part)} />}
                </g>
              );
            })}
          </svg>
          {/* An invisible range input, because keyboards and screen readers support it natively. */}
          <input
            className={classes.walk}
            type="range"
            min={0}
            max={count - 1}
            step={1}
            value={Math.min(read ?? count - 1, count - 1)}
            aria-label={`Read ${label}`}
            aria-valuetext={describePoint(points[Math.min(read ?? count - 1, count - 1)] as BarPoint)}
            onChange={(event) => setRead(Number(event.currentTarget.value))}
            onFocus={(event) => event.currentTarget.matches(":focus-visible") && setRead((now) => now ?? count - 1)}
            onBlur={() => setRead(undefined)}
          />
          {shown && (
            <p
              className={classes.readout}
              style={{ left: `${middle}%`, translate: `-${middle}% 0` }}
              aria-hidden="true"
            >
              <span>{shown.label}</span>{" "}
              <b>
                {format(shown.value)}
                {valueName && ` ${valueName}`}
              </b>
              {shown.part !== undefined && (
                <b className={classes.of}>
                  {" "}
                  {format(shown.part)} {partName}
                </b>
              )}
            </p>
          )}
        </div>
        <div className={classes.labels} aria-hidden="true">
          {points.map(({ key, label: at, short = at }, index) =>
            index % step === 0 ? (
              <span
                key={key}
                data-second={(index / step) % 2 === 1 || undefined}
                // Keeps the first and last labels inside the chart.
                style={{ left: `${slot * (index + 0.5)}%`, translate: `-${slot * (index + 0.5)}% 0` }}
              >
                {short}
              </span>
            ) : null,
          )}
        </div>
      </div>
      <details className={classes.values}>
        <summary>
          Values<span className={classes.hidden}> of {label}</span>
        </summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and a keyboard must reach it */}
        <div className={classes.sheet} role="region" aria-label={`Values of ${label}`} tabIndex={0}>
          <table>
            <caption className={classes.hidden}>{label}</caption>
            <thead>
              <tr>
                <th scope="col">{keyTitle}</th>
                <th scope="col">{capital(valueName || "value")}</th>
                {partName && <th scope="col">{capital(partName)}</th>}
              </tr>
            </thead>
            <tbody>
              {points.map(({ key, label: at, value, part }) => (
                <tr key={key}>
                  <th scope="row">{at}</th>
                  <td>{format(value)}</td>
                  {partName && <td>{format(part ?? 0)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );

  function getTickPosition(value: number): string {
    return `${100 - (value / top) * 100}%`;
  }

  /** Draws a minimum height, so that small values stay visible. */
  function upTo(value: number): { y: string; height: string } {
    const share = value === 0 ? 0 : Math.max((value / top) * 100, 150 / height);
    return { y: `${100 - share}%`, height: `${share}%` };
  }
}

function describeChart(
  label: string,
  points: readonly BarPoint[],
  format: (value: number) => string,
  total: number,
): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return label;
  const most = points.reduce((best, point) => (point.value > best.value ? point : best), first);
  const range = first === last ? first.label : `${first.label} to ${last.label}`;
  return `${label}, ${range}: ${format(total)} in total, highest ${format(most.value)} (${most.label}).`;
}

const capital = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
