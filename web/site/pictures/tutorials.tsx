import { Arrow, Desk, PlanWindow, RecordsWindow } from "./desk.tsx";
import { Box, Picture, type PictureProps, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Ghost, Milestone } from "./schedule-parts.tsx";

export function TutorialMovePicture(props: PictureProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <Desk />
      {[24, 176].map((x) => (
        <g key={x}>
          <Window x={x} y={40} w={120} h={84} />
          <Box x={x + 48} y={124} w={24} h={14} r={0} tone="line-strong" />
          <Box x={x + 28} y={138} w={64} h={6} r={3} tone="line-strong" />
        </g>
      ))}
      <Ghost x={44} y={91} w={80} h={16} />
      <Bar x={196} y={91} w={72} h={16} />
      <Milestone x={272} y={91} r={10} />
      <Arrow x={160} y={91} />
    </Picture>
  );
}

export function TutorialImportPicture(props: PictureProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <Desk tone="accent-soft" />
      <RecordsWindow x={32} y={60} />
      <PlanWindow x={144} y={16} />
      <Arrow x={160} y={128} />
    </Picture>
  );
}

export function TutorialExportPicture(props: PictureProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <Desk tone="accent-soft" />
      <PlanWindow x={32} y={16} />
      <RecordsWindow x={144} y={60} />
      <Arrow x={144} y={112} />
    </Picture>
  );
}
