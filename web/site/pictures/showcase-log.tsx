import type { ReactNode } from "react";
import { Label, Mark, Picture, type PictureProps, Step, Stroke } from "#web/ui/pictures/parts.tsx";
import { Sheet } from "./ribbon.tsx";
import { Bar, Ghost, Summary } from "./schedule-parts.tsx";

/** Entries of the log with the suggested action and a sketch, centred on 0, 0. */
const entries: readonly {
  kind: "error" | "warning" | "note";
  title: string;
  action: string;
  sketch: ReactNode;
}[] = [
  {
    kind: "error",
    title: "Relationship to a summary task",
    action: "Fix it in the plan and export again",
    sketch: (
      <>
        <Bar x={-52} y={-12} w={36} tone="critical-bar" />
        <Stroke d="M-16-12h8V8" tone="critical-bar" dashed />
        <Summary x={-8} y={14} w={60} />
      </>
    ),
  },
  {
    kind: "warning",
    title: "A lag of 20 % became 16 h",
    action: "Decide once for all of this kind",
    sketch: (
      <>
        <Bar x={-52} y={-12} w={44} />
        <Ghost x={-8} y={1} w={24} h={8} />
        <Bar x={16} y={14} w={36} />
      </>
    ),
  },
  {
    kind: "note",
    title: "212 activities converted",
    action: "Compare with the count in the plan",
    sketch: (
      <>
        <Bar x={-52} y={-6} w={104} tone="actual" />
        <Bar x={-52} y={8} w={104} />
      </>
    ),
  },
];

export function ShowcaseLogPicture(props: PictureProps) {
  return (
    <Picture {...props} height={240}>
      <Sheet title="pump-station-log.html" note="1 error, 1 warning" />
      {entries.map(({ kind, title, action, sketch }, index) => (
        <g key={kind} transform={`translate(0 ${71 + index * 68})`}>
          {index > 0 ? <path d="M16-33.5h352" stroke="var(--xp-line)" /> : null}
          <Step at={index * 4}>
            <Mark x={26} y={0} kind={kind} r={9} />
            <Label x={46} y={-5} weight={680} text={title} />
          </Step>
          <g transform="translate(316 0)">
            <Step at={index * 4 + 1} by="draw">
              {sketch}
            </Step>
          </g>
          <Step at={index * 4 + 2}>
            <Label x={46} y={14} tone="muted" text={action} />
          </Step>
        </g>
      ))}
    </Picture>
  );
}
