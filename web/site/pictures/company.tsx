import { Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Ghost, Grid, Milestone, Relation, Summary } from "./schedule-parts.tsx";

export function CompanyPicture(props: PictureProps) {
  return (
    <Picture {...props} height={264} floating>
      <Window x={0} y={0} w={384} h={264} title="company.mpp" />
      <Grid x={128} y={29} w={224} h={234} step={32} />
      {["The company", "Consulting", "First release", "Plus+", "Professional", "Next"].map((name, row) => (
        <Label key={name} x={row === 0 ? 16 : 28} y={62 + row * 36} weight={row === 0 ? 680 : undefined} text={name} />
      ))}
      <Summary x={128} y={58} w={240} />
      <Bar x={128} y={94} w={80} h={12} tone="bar-soft" />
      <Relation x={208} y={94} to={216} down={122} />
      <Milestone x={216} y={130} r={8} />
      <Stroke d="M224 130h8v28" />
      <Bar x={224} y={166} w={72} h={12} />
      <Relation x={296} y={166} to={301} down={195} />
      <Bar x={272} y={202} w={56} h={12} />
      <Ghost x={312} y={238} w={56} h={12} />
      <Stroke d="M320 34v229" tone="actual" width={1.5} dashed />
    </Picture>
  );
}
