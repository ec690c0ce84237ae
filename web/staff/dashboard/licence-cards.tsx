import { formatNumber } from "#schema/numbers.ts";
import { findLabel } from "#schema/closed-list.ts";
import { versionComparisons } from "#schema/dashboard.ts";
import { formatDayAndMonth } from "#schema/dates.ts";
import { BarChart } from "#web/staff/charts/bar-chart.tsx";
import type { CardProps } from "./dashboard.tsx";
import { Card, Count, Figures, getBarTitle } from "./dashboard-cards.tsx";
import { buildListHref } from "./dashboard-texts.ts";
import { Figure, formatPercent } from "./figure.tsx";
import { ShareList, type Tone } from "./share-list.tsx";
import type { VersionComparison } from "#web/generated/graphql.ts";

/** Shows started and converted trials. */
export function TrialsCard({ data: { days, trials } }: CardProps) {
  const { started, converted, course } = trials;
  return (
    <Card title="Trials" width="half">
      <Figures>
        <Count name="Started" count={started} list="trials-started" days={days} good="up" />
        <Count
          name="Converted"
          count={converted}
          list="trials-converted"
          days={days}
          good="up"
          hint={started.value > 0 ? `${formatPercent(converted.value / started.value)} of trials started` : undefined}
        />
      </Figures>
      <BarChart
        label={days <= 31 ? "Trials per day" : "Trials per week"}
        height={140}
        keyTitle={getBarTitle(days)}
        valueName="started"
        partName="converted"
        points={course.map((part) => ({
          key: part.date,
          label: formatDayAndMonth(part.date),
          value: part.started,
          part: part.converted,
        }))}
        emptyMessage="No trials started in this period."
      />
    </Card>
  );
}

/** Shows paid licences that expire soon and won't renew. */
export function ExpiringCard({ data: { days, expiring } }: CardProps) {
  return (
    <Card title="Licences expiring" width="half" aside="Next 90 days, by week">
      <Figures>
        <Figure
          name="Not renewing"
          value={formatNumber(expiring.count)}
          to={buildListHref("licences-expiring", days)}
          hint="no renewing subscription"
        />
      </Figures>
      <BarChart
        label="Licences expiring per week"
        height={140}
        keyTitle="Week from"
        points={expiring.course.map(({ date, count }) => ({ key: date, label: formatDayAndMonth(date), value: count }))}
        emptyMessage="No licences expire within 90 days."
      />
    </Card>
  );
}

/** Versions without a tone aren't marked. */
const versionTones: Partial<Record<VersionComparison, Tone>> = {
  LATEST: "calm",
  NEWER: "calm",
  OLDER: "notice",
  REFUSED: "critical",
};

/** Shows add-in versions in use, compared with the published version. */
export function VersionsCard({ data: { days, versions } }: CardProps) {
  const { devices, latest, minimum, versions: usedVersions, others } = versions;
  const published = latest ? `Published: ${latest}` : "No version published";
  const total = Math.max(devices, 1);
  return (
    <Card title="Versions in use" width="wide" aside={`${published}${minimum ? ` · minimum: ${minimum}` : ""}`}>
      <Figures>
        <Figure
          name="Devices seen"
          value={formatNumber(devices)}
          to={buildListHref("devices-seen", days)}
          hint="in the last 30 days"
        />
      </Figures>
      {usedVersions.length > 0 && (
        <ShareList
          label="Devices by version"
          shares={[
            ...usedVersions.map(({ version, devices: count, standing }) => {
              const tone = versionTones[standing];
              return {
                key: version,
                name: version,
                to: buildListHref("devices-seen", days, version),
                share: count / total,
                value: formatNumber(count),
                aside: formatPercent(count / total),
                ...(tone && { tone, mark: findLabel(versionComparisons, standing) }),
              };
            }),
            ...(others > 0
              ? [{ key: "others", name: "Others", share: others / total, value: formatNumber(others) }]
              : []),
          ]}
        />
      )}
    </Card>
  );
}
