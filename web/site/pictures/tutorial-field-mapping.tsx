import { Desk } from "./desk.tsx";
import { Box, Mark, Picture, type PictureProps, Stroke } from "#web/ui/pictures/parts.tsx";
import { Ghost } from "./schedule-parts.tsx";

export function TutorialFieldMappingPicture(props: PictureProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <Desk tone="accent-soft" />
      {[20, 57, 94].map((y) => (
        <g key={y}>
          <Box x={32.5} y={y + 0.5} w={95} h={29} r={7} tone="surface" line="line" />
          <Mark x={48} y={y + 15} kind="pass" />
          <Box x={64} y={y + 12} w={y === 57 ? 36 : 48} h={6} r={3} tone="line-strong" />
        </g>
      ))}
      <Ghost x={32} y={146} w={96} h={30} />
      {[38, 75, 112].map((y) => (
        <g key={y}>
          <Box x={192.5} y={y + 0.5} w={95} h={29} r={7} tone="night" line="night-line" />
          <Box x={208} y={y + 12} w={12} h={6} r={3} tone="night-accent" />
          <Box x={228} y={y + 12} w={y === 75 ? 30 : 44} h={6} r={3} tone="on-night-muted" />
        </g>
      ))}
      <Stroke d="M128 35c32 0 32 55 64 55M128 72c32 0 32-19 64-19M128 109c32 0 32 18 64 18" tone="brand" width={2.5} />
    </Picture>
  );
}
