import { Box, Label, Mark, Picture, type PictureProps, Step, Stroke } from "#web/ui/pictures/parts.tsx";
import { Sheet } from "./ribbon.tsx";

const rows = [
  { code: "A1180", before: "10 d", after: "80 h", kind: "pass" },
  { code: "A1210", before: "SS + 20 %", after: "SS + 16 h", kind: "warning" },
  { code: "A1240", before: "Site calendar", after: "Site calendar", kind: "pass" },
  { code: "A1310", before: "Deadline 18/04", after: "Not converted", kind: "warning" },
  { code: "A1420", before: "Milestone", after: "Finish milestone", kind: "pass" },
] as const;

export function ShowcaseAnalysisPicture(props: PictureProps) {
  return (
    <Picture {...props} height={240}>
      <Sheet title="conversion-analysis.xlsx" />
      {Object.entries({ Activity: 16, Before: 92, After: 208 }).map(([text, x]) => (
        <Label key={x} x={x} y={60} tone="muted" weight={580} text={text} />
      ))}
      <path d="M0 72.5h384" stroke="var(--xp-line-strong)" />
      {rows.map(({ code, before, after, kind }, index) => (
        <g key={code} transform={`translate(0 ${73 + index * 33.4})`}>
          {kind === "warning" ? (
            <Step at={index * 2 + 2}>
              <Box x={0} y={0} w={384} h={33.4} r={0} tone="accent-soft" />
            </Step>
          ) : null}
          {index > 0 ? <path d="M0 .5h384" stroke="var(--xp-line)" /> : null}
          <Step at={index * 2}>
            <Label x={16} y={21} tone={kind === "warning" ? "on-accent-soft" : "muted"} mono text={code} />
            <Label x={92} y={21} tone={kind === "warning" ? "on-accent-soft" : "ink"} text={before} />
          </Step>
          <Step at={index * 2 + 1}>
            <Stroke d="M186 17h11m-3.5-3.5 3.5 3.5-3.5 3.5" tone={kind === "warning" ? "on-accent-soft" : "muted"} />
            <Label
              x={208}
              y={21}
              tone={kind === "warning" ? "on-accent-soft" : "ink"}
              weight={kind === "warning" ? 680 : 500}
              text={after}
            />
            <Mark x={358} y={17} kind={kind} />
          </Step>
        </g>
      ))}
      <path d="M79.5 37v203M316.5 37v203" stroke="var(--xp-line)" />
    </Picture>
  );
}
