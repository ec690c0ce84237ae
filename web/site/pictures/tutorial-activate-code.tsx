import { Desk } from "./desk.tsx";
import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Mark, Picture, type PictureProps } from "#web/ui/pictures/parts.tsx";

/** A licence code: six groups of five characters. */
export function TutorialActivateCodePicture(props: PictureProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <Desk />
      {[0, 1, 2, 3, 4, 5].map((group) => (
        <g key={group} transform={`translate(${32 + (group % 3) * 88} ${40 + Math.floor(group / 3) * 56})`}>
          <Box x={0.5} y={0.5} w={79} h={43} r={8} tone="surface" line="line" />
          {[14, 27, 40, 53, 66].map((x, place) => (
            <Box
              key={x}
              x={x - 4}
              y={place % 2 === group % 2 ? 15 : 18}
              w={8}
              h={place % 2 === group % 2 ? 14 : 8}
              r={2}
              tone={group === 5 && place === 4 ? "milestone" : "ink"}
            />
          ))}
        </g>
      ))}
      <circle cx="288" cy="140" r="21" fill={paint("surface")} stroke={paint("line")} />
      <Mark x={288} y={140} kind="pass" r={17} />
    </Picture>
  );
}
