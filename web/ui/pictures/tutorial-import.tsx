import { Arrow, Desk, PlanWindow, RecordsWindow } from "./desk.tsx";
import { Picture, type PictureProps } from "./parts.tsx";

/** From the XER file to the plan. */
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
