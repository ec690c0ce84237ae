/** The axis of a chart: its upper end and the values written at it, from 0 up. */
export interface Scale {
  readonly top: number;
  readonly ticks: readonly number[];
}

/** Lines above zero: enough to read a height off, few enough for a chart as tall as a thumb. */
const MOST_STEPS = 4;

/** A scale in steps of 1, 2 or 5 times a power of ten that holds `most`; values are whole, so no step is under 1. */
export function scaleOf(most: number): Scale {
  const rough = Math.max(most / MOST_STEPS, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10) * power;
  const steps = Math.max(1, Math.ceil(most / step - 1e-9));
  return { top: step * steps, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) };
}
