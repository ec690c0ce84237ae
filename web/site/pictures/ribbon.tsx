import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Label, Step } from "#web/ui/pictures/parts.tsx";

/** The add-in's buttons and their widths. */
const widths = {
  "Export XER": 80,
  "Import XER": 80,
  "Field Mapping": 95,
  "Health Check": 92,
  "Conversion Analysis": 127,
} as const;

interface RibbonProps {
  buttons: readonly (keyof typeof widths)[];
  pressed: keyof typeof widths;
  at: number;
}

/** The background of a showcase with the add-in's ribbon. The pressed button is highlighted at step `at`. */
export function Ribbon({ buttons, pressed, at }: RibbonProps) {
  return (
    <>
      <path d="M0 0h384v240H0z" fill={paint("surface")} />
      <path d="M0 0h384v44H0z" fill={paint("sunken")} />
      <path d="M0 44.5h384" stroke={paint("line")} />
      {buttons.map((name, index) => {
        const x = buttons.slice(0, index).reduce((sum, before) => sum + widths[before] + 6, 8);
        const w = widths[name];
        return (
          <g key={name}>
            <Box x={x + 0.5} y={9.5} w={w - 1} h={25} r={6} tone="surface" line="line" />
            <Label x={x + 9} y={26} text={name} />
            {name === pressed ? (
              <Step at={at}>
                <Box x={x} y={9} w={w} h={26} r={6} tone="brand-fill" />
                <Label x={x + 9} y={26} tone="on-brand-fill" weight={580} text={name} />
              </Step>
            ) : null}
          </g>
        );
      })}
    </>
  );
}

/** The background of a showcase that shows a file. */
export function Sheet({ title, note }: { title: string; note?: string }) {
  return (
    <>
      <path d="M0 0h384v240H0z" fill={paint("surface")} />
      <path d="M0 0h384v36H0z" fill={paint("sunken")} />
      <path d="M0 36.5h384" stroke={paint("line")} />
      <Box x={16} y={15} w={14} h={6} r={2} tone="bar" />
      <Label x={38} y={22.5} tone="muted" weight={580} text={title} />
      {note ? <Label x={368} y={22.5} tone="muted" end text={note} /> : null}
    </>
  );
}

/** A pointer that moves to `x`, `y` and clicks; visible only while a showcase plays. */
export function Pointer({ x, y, at }: { x: number; y: number; at: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <Step at={at} by="point">
        <path
          d="M0 0v15.5l4.1-3.7 2.7 6.1 2.8-1.2-2.7-6h5.5z"
          fill={paint("ink")}
          stroke={paint("surface")}
          strokeLinejoin="round"
        />
      </Step>
    </g>
  );
}
