import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import { getInvoiceHref } from "#web/billing/invoices/invoice-columns.tsx";
import { InvoiceStatusBadge } from "#web/billing/invoices/invoice-status-badge.tsx";
import { useInvoiceActions } from "#web/billing/invoices/use-invoice-actions.tsx";
import { paths } from "#web/platform/paths.ts";
import { ForStaffRole } from "#web/platform/staff-role.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { RowActionsMenu } from "#web/ui/table/row-actions-menu.tsx";
import type { Overview } from "./overview-tab.tsx";

/** What a customer owes and their credit, with the open invoices. */
export function MoneyCard({ userId, overview, onDone }: { userId: string; overview: Overview; onDone: () => void }) {
  const { overdueInvoices, openInvoices, customerCredit } = overview;
  const actions = useInvoiceActions(onDone);
  const billing = `${paths.updateUser.href({ id: userId })}?tab=billing`;
  const pages = [overdueInvoices, openInvoices];
  const rows = pages.flatMap((page) => page?.rows ?? []);
  const count = pages.reduce((sum, page) => sum + (page?.total ?? 0), 0);
  const [overdueCents, openCents] = pages.map((page) => page?.sums.balanceCents ?? 0) as [number, number];
  return (
    <Section
      title="Open money"
      actions={
        <>
          <Button component={Link} size="sm" variant="default" to={billing}>
            All Invoices
          </Button>
          <ForStaffRole has="finance">
            <Button component={Link} size="sm" variant="default" to={`${billing}&action=create-invoice`}>
              Create Invoice
            </Button>
          </ForStaffRole>
        </>
      }
    >
      <FactGrid
        facts={[
          ["Open invoices", formatAud(overdueCents + openCents)],
          ["Overdue", formatAud(overdueCents)],
          ["Credit", formatAud(customerCredit?.balanceCents ?? 0)],
        ]}
      />
      {rows.length > 0 && (
        <Stack component="ul" gap="xs" m={0} mt="md" p={0} style={{ listStyle: "none" }}>
          {rows.map((row) => (
            <Group component="li" key={row.id} gap="sm" wrap="nowrap" justify="space-between">
              <Group gap="4px 14px" miw={0}>
                <Anchor component={Link} to={getInvoiceHref(row)}>
                  {row.number}
                </Anchor>
                <Text span fw={560}>
                  {formatAud(row.balanceCents)}
                </Text>
                <InvoiceStatusBadge row={row} />
                {row.dueAt && (
                  <Text span fz="sm" c="dimmed">
                    Due <Moment at={row.dueAt} as={formatSellerDate} />
                  </Text>
                )}
              </Group>
              <RowActionsMenu label={`Actions for ${row.number}`} getActions={() => actions(row)} />
            </Group>
          ))}
        </Stack>
      )}
      {count > rows.length && (
        <Text fz="sm" c="dimmed" mt="xs">
          {rows.length} of {count} open invoices.
        </Text>
      )}
    </Section>
  );
}
