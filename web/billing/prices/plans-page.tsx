import { Badge, Button, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import {
  type AllPlansQuery,
  type ManagedPriceFragment,
  useAllPlansQuery,
  useSetPlanOnSaleMutation,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { MoneyDialog } from "#web/billing/money-dialog.tsx";
import { SeatPriceList } from "#web/billing/seats/seat-price-list.tsx";
import { billingIntervals } from "#schema/plan-catalogue.ts";
import { findLabel, toValue } from "#schema/closed-list.ts";
import { formatSellerDateTime } from "#schema/dates.ts";
import { formatAud, formatUsd } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";
import tableClasses from "#web/ui/table/data-table.module.css";

/** Page with the plans and their prices, which finance staff can change. */
export default function PlansPage() {
  const query = useAllPlansQuery();
  const canEdit = useStaffRole("finance");
  const reload = () => void query.refetch().catch(() => undefined);
  return (
    <PageLayout
      title={paths.plans.title}
      lead="Prices are without GST. A new price applies to new subscriptions. Subscribers keep theirs until you move them."
    >
      <Loaded query={query} failure="Unable to load the plans." loading="Loading the plans" tall>
        {({ allPlans }) => (
          <Stack gap="lg">
            {allPlans.map((plan) => (
              <PlanCard key={plan.slug} plan={plan} canEdit={canEdit} reload={reload} />
            ))}
            <SeatPriceList canEdit={canEdit} />
          </Stack>
        )}
      </Loaded>
    </PageLayout>
  );
}

interface CardProps {
  plan: AllPlansQuery["allPlans"][number];
  /** False for staff who may only look. */
  canEdit: boolean;
  reload: () => void;
}

/** Titles of the columns; on a phone also of the values. */
const titles = ["Interval", "AUD, without GST", "USD", "Subscribers", "History"] as const;
const numbers = new Set<string>(titles.slice(1, 4));

/** Shows when a version of a price came into force. The first one has always been. */
function VersionStart({ at }: { at: string }) {
  if (new Date(at).getTime() === 0) return "Before";
  return (
    <>
      From <Moment at={at} as={formatSellerDateTime} />
    </>
  );
}

/** Shows a plan with its prices and their history. */
function PlanCard({ plan, canEdit, reload }: CardProps) {
  const { slug, name, retiring, isOnSale, prices } = plan;
  const [setPlanOnSale] = useSetPlanOnSaleMutation();
  const openDialog = useOpenDialog();
  const title = isOnSale ? `Take ${name} off sale` : `Put ${name} on sale`;
  const toggleSale = () =>
    openDialog(async () => ({ default: MoneyDialog }), {
      title,
      confirmLabel: isOnSale ? "Take off sale" : "Put on sale",
      effects: isOnSale
        ? [
            "Customers can no longer subscribe or change to this plan.",
            "Its subscribers keep it, and it keeps renewing.",
          ]
        : ["Customers can subscribe and change to this plan again, at its current price."],
      onConfirm: async ({ reason }) => {
        await setPlanOnSale({ variables: { input: { slug, isOnSale: !isOnSale, reason } } });
        notify.success(`${name} is ${isOnSale ? "off sale" : "on sale"}.`);
      },
      onTried: reload,
    });

  return (
    <Paper component="section" withBorder radius="lg" shadow="sm" p="lg" aria-labelledby={`plan-${slug}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Group gap="xs">
            <Title order={2} size="h3" id={`plan-${slug}`}>
              {name}
            </Title>
            <Badge color={isOnSale ? "spruce" : "gray"}>{isOnSale ? "On sale" : "Off sale"}</Badge>
            {retiring && <Badge color="gray">Retiring</Badge>}
          </Group>
          {canEdit && (
            <Button variant="default" onClick={toggleSale}>
              {title}
            </Button>
          )}
        </Group>
        <Paper withBorder radius="lg" style={{ overflow: "hidden" }}>
          <Table aria-label={`Prices of ${name}`} tabularNums className={tableClasses.table}>
            <Table.Thead>
              <Table.Tr>
                {titles.map((title) => (
                  <Table.Th key={title} scope="col" data-align={numbers.has(title) ? "right" : undefined}>
                    {title}
                  </Table.Th>
                ))}
                {canEdit && (
                  <Table.Th scope="col" ta="right">
                    Actions
                  </Table.Th>
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {prices.map((price) => (
                <PriceRow key={price.id} plan={plan} price={price} canEdit={canEdit} reload={reload} />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      </Stack>
    </Paper>
  );
}

function PriceRow({ plan, price, canEdit, reload }: CardProps & { price: ManagedPriceFragment }) {
  const { interval, audCents, usdCents, customerCount, otherAmountCount, versions } = price;
  const openDialog = useOpenDialog();
  const name = `${plan.name}, ${toValue(billingIntervals, interval)}`;
  return (
    <Table.Tr>
      <Table.Td fw={560} data-title={titles[0]}>
        {findLabel(billingIntervals, interval)}
      </Table.Td>
      <Table.Td data-title={titles[1]} data-wrap="never" data-align="right">
        {formatAud(audCents)}
      </Table.Td>
      <Table.Td data-title={titles[2]} data-wrap="never" data-align="right">
        {formatUsd(usdCents)}
      </Table.Td>
      <Table.Td data-title={titles[3]} data-align="right">
        {formatNumber(customerCount)}
        {otherAmountCount > 0 && (
          <Text span display="block" fz="sm" c="dimmed">
            {formatNumber(otherAmountCount)} at another price
          </Text>
        )}
      </Table.Td>
      <Table.Td data-title={titles[4]}>
        {versions.length === 0 ? (
          <Text span inherit c="dimmed">
            No changes
          </Text>
        ) : (
          <Stack gap={2}>
            {versions.map((version) => (
              <Text key={version.id} fz="sm" data-break="anywhere">
                <VersionStart at={version.startsAt} />: {formatAud(version.audCents)}, {formatUsd(version.usdCents)}
                {version.reason && ` · ${version.reason}`}
              </Text>
            ))}
          </Stack>
        )}
      </Table.Td>
      {canEdit && (
        <Table.Td className={tableClasses.actionsCell}>
          <Group gap="xs" justify="flex-end" display="inline-flex" className={tableClasses.wordyAction}>
            {otherAmountCount > 0 && (
              <Button
                size="xs"
                variant="default"
                onClick={() =>
                  openDialog(() => import("./move-subscribers-dialog.tsx"), { price, name, onMoved: reload })
                }
                aria-label={`Move subscribers of ${name}`}
              >
                Move subscribers
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              onClick={() => openDialog(() => import("./new-price-dialog.tsx"), { price, name, reload })}
              aria-label={`New price for ${name}`}
            >
              New price
            </Button>
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
