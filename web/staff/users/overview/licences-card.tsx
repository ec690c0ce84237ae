import { Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import { describePeriodEnd, formatDevicesInUse, LicenceStatusBadge } from "#web/licensing/licences/licence-expiry.tsx";
import { useLicenceActions } from "#web/licensing/licences/use-licence-actions.tsx";
import { paths, userTabHref } from "#web/platform/paths.ts";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { RowActionsMenu } from "#web/ui/table/row-actions-menu.tsx";
import { PlainList } from "#web/ui/plain-list.tsx";
import { CardLink } from "./attention-card.tsx";
import type { Overview } from "./overview-tab.tsx";

type Licence = NonNullable<Overview["user"]["licences"]>[number];

/** Licences shown here. The Licences tab has all. */
const MOST = 5;

/** A customer's newest licences, those in use first, with the devices in use and their actions. */
export function LicencesCard(props: { userId: string; licences: readonly Licence[]; onDone: () => void }) {
  const { userId, licences, onDone } = props;
  const { actions, progress } = useLicenceActions(userId, licences, onDone);
  const isOver = ({ status }: Licence) => Number(status === "REVOKED" || status === "EXPIRED");
  const shown = licences.toSorted((one, other) => isOver(one) - isOver(other)).slice(0, MOST);
  return (
    <Section
      title="Licences"
      actions={
        <>
          {licences.length > shown.length && (
            <CardLink to={userTabHref(userId, "licences")}>All {formatNumber(licences.length)} Licences</CardLink>
          )}
          <ForStaffRole has="support">
            <CardLink to={userTabHref(userId, "licences", "&action=add")}>Add A Licence</CardLink>
          </ForStaffRole>
        </>
      }
    >
      {shown.length === 0 && <Text c="dimmed">No licences.</Text>}
      <PlainList gap="md">
        {shown.map((licence) => (
          <LicenceRow key={licence.id} licence={licence} userId={userId} getActions={() => actions(licence)} />
        ))}
      </PlainList>
      {progress}
    </Section>
  );
}

function LicenceRow(props: {
  licence: Licence;
  userId: string;
  getActions: () => ReturnType<ReturnType<typeof useLicenceActions>["actions"]>;
}) {
  const { licence, userId, getActions } = props;
  const { id, subscriptionLevel, supportCode, deviceCount, numberOfMachines, usageLimit, usageCount, status } = licence;
  const end = describePeriodEnd(licence);
  return (
    <Group component="li" gap="sm" wrap="nowrap" justify="space-between" align="flex-start">
      <Stack gap={2} miw={0}>
        <Group gap="4px 10px">
          <Anchor component={Link} fw={600} to={paths.licenceHistory.href({ licenceId: id })}>
            {subscriptionLevel} {supportCode}
          </Anchor>
          <LicenceStatusBadge status={status} />
        </Group>
        <Group gap="2px 16px" fz="sm" c="dimmed">
          <span>
            {end.label} <Moment at={licence.periodEndsAt} as={end.format} />
          </span>
          <Anchor component={Link} inherit to={paths.activatedDevices.href({ licenceId: id, userId })}>
            {formatDevicesInUse(deviceCount, numberOfMachines)}
          </Anchor>
          {usageLimit !== null && (
            <span>
              {formatNumber(Math.max(0, usageLimit - usageCount))} of {formatNumber(usageLimit)} conversions left
            </span>
          )}
        </Group>
      </Stack>
      <RowActionsMenu label={`Actions for ${subscriptionLevel} ${supportCode}`} getActions={getActions} />
    </Group>
  );
}
