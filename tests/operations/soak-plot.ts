import type { Sample } from "./soak.ts";

const [WIDTH, PANEL, GAP, LEFT] = [900, 110, 34, 70];

interface Series {
  readonly title: string;
  readonly values: readonly (readonly (number | null)[])[];
}

/** Draws the samples of a soak as an SVG with a panel for each figure. Dotted lines are deployments and kills. */
export function drawPlot(samples: readonly Sample[], events: readonly { at: number; name: string }[]): string {
  const end = samples.at(-1)?.at ?? 1;
  const x = (at: number) => LEFT + ((WIDTH - LEFT - 10) * at) / end;
  const panels: readonly Series[] = [
    { title: "Calls a second", values: [samples.map(({ requests }) => requests / 10)] },
    { title: "p99 in ms", values: [samples.map(({ p99Ms }) => p99Ms)] },
    {
      title: "Memory in MB (dark: the process that isn't restarted)",
      values: [0, 1].map((at) => samples.map(({ memory }) => memory[at] ?? null)),
    },
    { title: "Waiting emails, deliveries, notices and jobs", values: [samples.map(({ waiting }) => waiting)] },
    { title: "Failed calls", values: [samples.map(({ failed }) => failed)] },
  ];
  const drawn = panels.map(({ title, values }, at) => {
    const top = 24 + at * (PANEL + GAP);
    const most = Math.max(1, ...values.flat().map((value) => value ?? 0));
    const y = (value: number) => (top + PANEL - (PANEL * value) / most).toFixed(1);
    const lines = values.map((series, line) => {
      const points = series.flatMap((value, index) =>
        value === null ? [] : [`${x(samples[index]?.at ?? 0).toFixed(1)},${y(value)}`],
      );
      const colour = line === values.length - 1 ? "#1f4e79" : "#9db8d2";
      return `<polyline fill="none" stroke="${colour}" stroke-width="1.2" points="${points.join(" ")}"/>`;
    });
    return [
      `<text x="${LEFT}" y="${top - 8}" font-weight="600">${title}</text>`,
      `<text x="${LEFT - 8}" y="${top + 10}" text-anchor="end">${Math.round(most)}</text>`,
      `<text x="${LEFT - 8}" y="${top + PANEL}" text-anchor="end">0</text>`,
      `<path d="M${LEFT} ${top}V${top + PANEL}H${WIDTH - 10}" fill="none" stroke="#999"/>`,
      ...events.map(
        (event) => `<path d="M${x(event.at).toFixed(1)} ${top}v${PANEL}" stroke="#b33" stroke-dasharray="2 4"/>`,
      ),
      ...lines,
    ].join("\n");
  });
  const height = 24 + panels.length * (PANEL + GAP) + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${drawn.join("\n")}
<text x="${WIDTH - 10}" y="${height - 4}" text-anchor="end">${Math.round(end / 60)} minutes</text>
</svg>
`;
}
