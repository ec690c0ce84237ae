import type { ReactNode } from "react";
import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Grid, Milestone } from "./schedule-parts.tsx";

type DeskProps = PictureProps & { tone?: "brand-soft" | "accent-soft"; children: ReactNode };

/** The frame and the background of a tutorial's picture. It has no text, so it stays readable on small cards. */
export function Desk({ tone = "brand-soft", children, ...props }: DeskProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <path d="M0 0h320v180H0z" fill={paint("sunken")} />
      <path d="M0 0h320v180H0z" fill={paint(tone)} fillOpacity=".7" />
      <g opacity=".08">
        <Grid x={32} y={0} w={256} h={180} step={32} tone={`on-${tone}`} />
      </g>
      {children}
    </Picture>
  );
}

export function PlanWindow({ x, y }: { x: number; y: number }) {
  return (
    <>
      <Window x={x} y={y} w={144} h={104} />
      <Grid x={x + 56} y={y + 19} w={72} h={84} step={24} />
      {[24, 30, 20, 26].map((w, row) => (
        <Box key={row} x={x + 14} y={y + 33 + row * 17} w={w} h={4} r={2} tone="line-strong" />
      ))}
      <Box x={x + 56} y={y + 30} w={32} h={10} r={3} tone="bar" />
      <Box x={x + 68} y={y + 47} w={20} h={10} r={3} tone="bar" />
      <Stroke d={`M${x + 88} ${y + 35}h6v29`} />
      <Box x={x + 88} y={y + 64} w={32} h={10} r={3} tone="critical-bar" />
      <Milestone x={x + 124} y={y + 86} />
    </>
  );
}

export function RecordsWindow({ x, y }: { x: number; y: number }) {
  return (
    <>
      <Window x={x} y={y} w={144} h={104} night />
      {[56, 96, 76, 104, 64].map((w, row) => (
        <g key={row}>
          <Box
            x={x + 14}
            y={y + 31 + row * 14}
            w={12}
            h={5}
            r={2.5}
            tone={row === 0 || row === 3 ? "night-accent" : "night-brand"}
          />
          <Box x={x + 32} y={y + 31 + row * 14} w={w * 0.9} h={5} r={2.5} tone="on-night-muted" />
        </g>
      ))}
    </>
  );
}

export function Arrow({ x, y, down = false }: { x: number; y: number; down?: boolean }) {
  return (
    <g transform={`translate(${x} ${y})${down ? " rotate(90)" : ""}`}>
      <circle r="18" fill={paint("surface")} stroke={paint("line")} />
      <path
        d="M-8 0H8M1.5-6.5 8 0 1.5 6.5"
        fill="none"
        stroke={paint("brand")}
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </g>
  );
}
