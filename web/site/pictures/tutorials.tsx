import { paint } from "#web/ui/pictures/paint.ts";
import { Box, Mark, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Arrow, Desk, PlanWindow, RecordsWindow } from "./desk.tsx";
import { Bar, Ghost, Milestone } from "./schedule-parts.tsx";

export function TutorialMovePicture(props: PictureProps) {
  return (
    <Desk {...props}>
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
    </Desk>
  );
}

export function TutorialImportPicture(props: PictureProps) {
  return (
    <Desk {...props} tone="accent-soft">
      <RecordsWindow x={32} y={60} />
      <PlanWindow x={144} y={16} />
      <Arrow x={160} y={128} />
    </Desk>
  );
}

export function TutorialExportPicture(props: PictureProps) {
  return (
    <Desk {...props} tone="accent-soft">
      <PlanWindow x={32} y={16} />
      <RecordsWindow x={144} y={60} />
      <Arrow x={144} y={112} />
    </Desk>
  );
}

export function TutorialInstallPicture(props: PictureProps) {
  return (
    <Desk {...props}>
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
    </Desk>
  );
}

/** A licence code: six groups of five characters. */
export function TutorialActivateCodePicture(props: PictureProps) {
  return (
    <Desk {...props}>
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
    </Desk>
  );
}

export function TutorialActivateSignInPicture(props: PictureProps) {
  return (
    <Desk {...props}>
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
    </Desk>
  );
}

export function TutorialFieldMappingPicture(props: PictureProps) {
  return (
    <Desk {...props} tone="accent-soft">
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
    </Desk>
  );
}

const kinds = ["error", "warning", "warning", "note"] as const;

export function TutorialLogAndHealthPicture(props: PictureProps) {
  return (
    <Desk {...props}>
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
    </Desk>
  );
}
