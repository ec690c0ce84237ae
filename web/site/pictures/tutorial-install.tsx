import { Arrow, Desk } from "./desk.tsx";
import { Box, Picture, type PictureProps, Window } from "#web/ui/pictures/parts.tsx";
import { Milestone } from "./schedule-parts.tsx";

export function TutorialInstallPicture(props: PictureProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <Desk />
      <Window x={64} y={48} w={192} h={132} />
      {[80, 114, 148].map((x) => (
        <Box key={x} x={x} y={76} w={28} h={6} r={3} tone="line" />
      ))}
      <Box x={184} y={70} w={56} h={18} r={5} tone="brand-fill" />
      <Box x={194} y={76} w={36} h={6} r={3} tone="on-brand-fill" />
      <path d="M65 96.5h190" stroke="var(--xp-line)" />
      <Box x={80} y={114} w={160} h={14} r={4} tone="sunken" line="line" />
      <Box x={80} y={114} w={128} h={14} r={4} tone="bar" />
      <Milestone x={208} y={121} r={9} />
      <Box x={80} y={144} w={96} h={6} r={3} tone="line" />
      <Box x={80} y={158} w={64} h={6} r={3} tone="line" />
      <Arrow x={212} y={36} down />
    </Picture>
  );
}
