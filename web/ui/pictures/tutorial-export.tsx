import { Arrow, Desk, PlanWindow, RecordsWindow } from "./desk.tsx";
import { Picture, type PictureProps } from "./parts.tsx";

/** From the plan to the XER file. */
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
