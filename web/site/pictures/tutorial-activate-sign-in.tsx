import { Desk } from "./desk.tsx";
import { Box, Mark, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";

export function TutorialActivateSignInPicture(props: PictureProps) {
  return (
    <Picture {...props} width={320} height={180}>
      <Desk />
      <Window x={24} y={28} w={168} h={124} />
      {[0, 1, 2, 3, 4, 5, 6, 7].map((place) => (
        <Box
          key={place}
          x={40.5 + place * 16 + (place > 3 ? 8 : 0)}
          y={66.5}
          w={12}
          h={18}
          r={3}
          tone="sunken"
          line="line-strong"
        />
      ))}
      <Box x={40} y={108} w={136} h={22} r={6} tone="brand-fill" />
      <Box x={84} y={116} w={48} h={6} r={3} tone="on-brand-fill" />
      <Stroke d="M192 119h24V92h12" tone="brand" width={2.5} />
      <Window x={228} y={56} w={72} h={72} />
      <Mark x={264} y={101} kind="pass" r={16} />
    </Picture>
  );
}
