import { Box, Label, Mark, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Ghost, Grid, Milestone, Relation } from "./schedule-parts.tsx";

/** An activity without its predecessor, for empty pages. */
export function EmptyPagePicture(props: PictureProps) {
  return (
    <Picture {...props} height={208} floating>
      <Window x={8} y={0} w={368} h={208} title="untitled.mpp" />
      <Grid x={152} y={29} w={192} h={143} step={32} />
      {["", "Pile cap 3", "Column 3, lift 1", "Deck pour"].map((name, row) => (
        <g key={name}>
          {name ? (
            <Label x={24} y={58 + row * 32} text={name} />
          ) : (
            <Box x={24.5} y={46.5} w={95} h={14} r={3} tone="sunken" line="line-strong" dashed />
          )}
        </g>
      ))}
      <Ghost x={152} y={54} w={64} h={12} />
      <Stroke d="M216 54h8v20" tone="line-strong" dashed />
      <Mark x={224} y={86} kind="warning" r={9} />
      <Bar x={240} y={86} w={40} h={12} />
      <Relation x={280} y={86} to={285} down={112} />
      <Bar x={280} y={118} w={40} h={12} />
      <Relation x={320} y={118} to={325} down={144} />
      <Bar x={320} y={150} w={24} h={12} />
      <Stroke d="M344 150h8" />
      <Milestone x={356} y={150} />
      <path d="M9 172.5h366" stroke="var(--xp-line)" />
      <Label x={24} y={194} tone="muted" text="1 activity without a predecessor" />
    </Picture>
  );
}
