import { formatNumber } from "#schema/numbers.ts";
import { formatDayAndMonth } from "#schema/dates.ts";
import { BarChart } from "#web/ui/charts/bar-chart.tsx";
import type { CardProps } from "./dashboard.tsx";
import { Card, Figures } from "./dashboard-cards.tsx";
import { listHref } from "./dashboard-words.ts";
import { changeOf, Figure, percent } from "./figure.tsx";
import { keyTitleOf, sinceBefore } from "./period-choice.tsx";
import { ShareList, type Tone } from "./share-list.tsx";

/** Shows started and converted trials. */
export function TrialsCard({ data: { days, trials } }: CardProps) {
  const { started, converted, course } = trials;
  return (
    <Card title="Trials" width="half">
      <Figures>
        <Figure
          name="Started"
          value={formatNumber(started.value)}
          to={listHref("trials-started", days)}
          change={changeOf(started, sinceBefore(days), "up")}
        />
        <Figure
          name="Converted"
          value={formatNumber(converted.value)}
          to={listHref("trials-converted", days)}
          change={changeOf(converted, sinceBefore(days), "up")}
          {...(started.value > 0 && { hint: `${percent(converted.value / started.value)} of trials started` })}
        />
      </Figures>
      <BarChart
        label={days <= 31 ? "Trials per day" : "Trials per week"}
        height={140}
        keyTitle={keyTitleOf(days)}
        valueName="started"
        partName="converted"
        points={course.map((part) => ({
          key: part.date,
          label: formatDayAndMonth(part.date),
          value: part.started,
          part: part.converted,
        }))}
        emptySentence="No trials started in this period."
      />
    </Card>
  );
}

/** Shows paid licences that expire soon without renewal. */
export function ExpiringCard({ data: { days, expiring } }: CardProps) {
  return (
    <Card title="Licences expiring" width="half" aside="Next 90 days, by week">
      <Figures>
        <Figure
          name="Not renewing"
          value={formatNumber(expiring.count)}
          to={listHref("licences-expiring", days)}
          hint="no renewing subscription"
        />
      </Figures>
      <BarChart
        label="Licences expiring per week"
        height={140}
        keyTitle="Week from"
        points={expiring.course.map(({ date, count }) => ({ key: date, label: formatDayAndMonth(date), value: count }))}
        emptySentence="No licences expire within 90 days."
      />
    </Card>
  );
}

const versionLabels: Record<string, { text: string; tone: Tone }> = {
  latest: { text: "Published", tone: "calm" },
  newer: { text: "Newer", tone: "calm" },
  older: { text: "Older", tone: "notice" },
  refused: { text: "Refused", tone: "critical" },
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
          to={listHref("devices-seen", days)}
          hint="in the last 30 days"
        />
      </Figures>
      {usedVersions.length > 0 && (
        <ShareList
          label="Devices by version"
          shares={[
            ...usedVersions.map(({ version, devices: count, standing }) => {
              const label = versionLabels[standing];
              return {
                key: version,
                name: version,
                to: listHref("devices-seen", days, version),
                share: count / total,
                value: formatNumber(count),
                aside: percent(count / total),
                ...(label && { tone: label.tone, mark: label.text }),
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
