import { Desk } from "./desk.tsx";
import { Box, Mark, Picture, type PictureProps, Window } from "#web/ui/pictures/parts.tsx";

const kinds = ["error", "warning", "warning", "note"] as const;

export function TutorialLogAndHealthPicture(props: PictureProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <Desk />
      <Window x={32} y={24} w={152} h={132} />
      {kinds.map((kind, row) => (
        <g key={row} transform={`translate(0 ${62 + row * 25})`}>
          <Mark x={54} y={0} kind={kind} />
          <Box x={70} y={-3} w={[88, 64, 76, 96][row] ?? 0} h={6} r={3} tone="line-strong" />
        </g>
      ))}
      <Window x={200} y={24} w={88} h={132} />
      {Array.from({ length: 10 }, (_, check) => (
        <Mark
          key={check}
          x={228 + (check % 2) * 32}
          y={58 + Math.floor(check / 2) * 20.5}
          kind={check === 0 || check === 5 ? "error" : "pass"}
        />
      ))}
    </Picture>
  );
}
