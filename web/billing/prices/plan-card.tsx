import { Badge, Button, Group, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { formatSellerDateTime } from "#schema/dates.ts";
import { formatAud, formatUsd } from "#schema/money.ts";
import { formatNumber } from "#schema/numbers.ts";
import tableClasses from "#web/ui/table/data-table.module.css";
import type { AllPlansQuery, ManagedPriceFragment } from "#web/generated/graphql.ts";
import { billingIntervals } from "#schema/plan-catalogue.ts";
import { findLabel, toValue } from "#schema/closed-list.ts";

export type ManagedPlan = AllPlansQuery["allPlans"][number];

export interface PlanCardProps {
  plan: ManagedPlan;
  /** False for staff who may only look. */
  canEdit: boolean;
  onNewPrice: (price: ManagedPriceFragment) => void;
  onMove: (price: ManagedPriceFragment) => void;
  onToggleSale: () => void;
}

/** Titles of the columns; on a phone also of the values. */
const titles = ["Interval", "AUD, without GST", "USD", "Subscribers", "History"] as const;
const numbers = new Set<string>(titles.slice(1, 4));

const formatVersionStart = (startsAt: string) =>
  new Date(startsAt).getTime() === 0 ? "Before" : `From ${formatSellerDateTime(startsAt)}`;

/** Shows a plan with its prices and their history. */
export function PlanCard({ plan, canEdit, onNewPrice, onMove, onToggleSale }: PlanCardProps) {
  const { slug, name, retiring, isOnSale, prices } = plan;
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
            <Button variant="default" onClick={onToggleSale}>
              {isOnSale ? `Take ${name} off sale` : `Put ${name} on sale`}
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
                <PriceRow
                  key={price.id}
                  name={name}
                  price={price}
                  canEdit={canEdit}
                  onNewPrice={onNewPrice}
                  onMove={onMove}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      </Stack>
    </Paper>
  );
}

type PriceRowProps = Pick<PlanCardProps, "canEdit" | "onNewPrice" | "onMove"> & {
  name: string;
  price: ManagedPriceFragment;
};

function PriceRow({ name, price, canEdit, onNewPrice, onMove }: PriceRowProps) {
  const { interval, audCents, usdCents, customerCount, otherAmountCount, versions } = price;
  const label = `${name}, ${toValue(billingIntervals, interval)}`;
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
              <Text key={version.id} fz="sm" title={version.reason}>
                {formatVersionStart(version.startsAt)}: {formatAud(version.audCents)}, {formatUsd(version.usdCents)}
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
                onClick={() => onMove(price)}
                aria-label={`Move subscribers of ${label}`}
              >
                Move subscribers
              </Button>
            )}
            <Button size="xs" variant="default" onClick={() => onNewPrice(price)} aria-label={`New price for ${label}`}>
              New price
            </Button>
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
