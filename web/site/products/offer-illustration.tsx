import { formatUsd } from "#schema/money.ts";
import { Label, Picture, type PictureProps, Stroke, Window } from "#web/ui/pictures/parts.tsx";
import { Bar, Grid, Milestone, Relation } from "#web/site/pictures/schedule-parts.tsx";
import { usePlanPrices } from "./plan-prices.ts";

const WEEK = 22;
const LEFT = 32;
const at = (week: number) => LEFT + week * WEEK;
const months = [0, 1, 2];

/** Illustration of the offer as a schedule: a two-week trial, a decision, then monthly or yearly payment. */
export function OfferIllustration({ slug, ...props }: PictureProps & { slug: string }) {
  const { monthly, yearly } = usePlanPrices()(slug);
  return (
    <Picture {...props} height={268} floating>
      <Window x={8} y={0} w={368} h={268} title="Your first weeks" />
      <Grid x={at(0)} y={29} w={WEEK * 15} h={238} step={WEEK * 2} />
      <Label x={at(0)} y={60} weight={680}>
        Trial Professional
      </Label>
      <Bar x={at(0)} y={78} w={WEEK * 2 - 2} h={16} tone="milestone" />
      <Label x={at(2) + 10} y={82} tone="muted">
        14 days or 20 conversions
      </Label>
      <Relation x={at(2) - 2} y={78} to={at(2) + 3} down={110} />
      <Milestone x={at(2) + 3} y={119} r={8} />
      <Label x={at(2) + 20} y={123} weight={680}>
        You decide
      </Label>
      <Stroke d={`M${at(2) + 3} 127v103M${at(2) + 3} 172h14M${at(2) + 3} 230h14`} />
      <Label x={at(3)} y={156}>
        {`Month by month, ${formatUsd(monthly)}`}
      </Label>
      {months.map((month) => (
        <Bar key={month} x={at(3 + month * 4)} y={172} w={WEEK * 4 - 4} h={16} tone="bar-soft" />
      ))}
      <Label x={at(3)} y={214}>
        {`One year upfront, ${formatUsd(yearly)}`}
      </Label>
      <Bar x={at(3)} y={230} w={WEEK * 12 - 4} h={16} />
    </Picture>
  );
}
