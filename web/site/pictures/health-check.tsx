import { Box, Label, Mark, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";

/** Position of the limit on each check's track. */
const LIMIT = 52;

/** The ten checks, with the number of findings and the length of the bar. */
const checks = [
  { name: "Logic", found: 14, length: 86 },
  { name: "Leads", found: 0, length: 0 },
  { name: "Lags", found: 6, length: 20 },
  { name: "Finish–start relationships", found: 18, length: 34 },
  { name: "Hard constraints", found: 12, length: 70 },
  { name: "High float", found: 7, length: 28 },
  { name: "Negative float", found: 0, length: 0 },
  { name: "High-duration tasks", found: 9, length: 40 },
  { name: "Invalid dates", found: 0, length: 0 },
  { name: "Resources", found: 5, length: 16 },
].map((check) => ({ ...check, failed: check.length > LIMIT }));

export function HealthCheckPicture(props: PictureProps) {
  return (
    <Picture {...props} height={304} floating>
      <Window x={12} y={0} w={360} h={304} title="Health check" />
      <Label x={LIMIT + 246} y={58} tone="muted" end text="Limit" />
      <Label x={354} y={58} tone="muted" end text="Found" />
      <Label x={28} y={56} size={17} weight={680} text="8 of 10 passed" />
      {checks.map(({ name, failed }, index) => (
        <Box key={name} x={202 + index * 15.5} y={10} w={13} h={10} r={3} tone={failed ? "critical-bar" : "bar"} />
      ))}
      <path d="M13 70.5h358" stroke="var(--xp-line)" />
      {checks.map(({ name, found, length, failed }, index) => (
        <g key={name} transform={`translate(0 ${84 + index * 22.5})`}>
          {failed ? <Box x={20} y={-11} w={344} h={22} r={5} tone="critical-soft" /> : null}
          <Mark x={34} y={0} kind={failed ? "error" : "pass"} />
          <Label x={50} y={4} weight={failed ? 680 : 500} tone={failed ? "on-critical-soft" : "ink"} text={name} />
          <Box x={228} y={-2} w={96} h={4} r={2} tone={failed ? "surface" : "sunken"} />
          {length > 0 ? <Box x={228} y={-2} w={length} h={4} r={2} tone={failed ? "critical-bar" : "bar"} /> : null}
          <Label
            x={354}
            y={4}
            tone={failed ? "on-critical-soft" : "muted"}
            weight={failed ? 680 : 500}
            end
            text={found}
          />
        </g>
      ))}
      <Stroke d={`M${228.5 + LIMIT} 74v222`} tone="line-strong" dashed />
    </Picture>
  );
}
