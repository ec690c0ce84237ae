import { Group, List, Text, Title } from "@mantine/core";
import { formatSellerDate } from "#schema/dates.ts";
import { formatAud } from "#schema/money.ts";
import type { CustomerCreditQuery } from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";

/** Shows a customer's credit and its changes. Renders nothing if there never was any. */
export function CustomerCredit({ credit }: { credit: CustomerCreditQuery["customerCredit"] }) {
  if (credit.entries.length === 0) return null;
  return (
    <section aria-labelledby="credit">
      <Group gap="xs" mb="xs">
        <Title order={2} size="h4" id="credit">
          Credit
        </Title>
        <Text fw={650}>{formatAud(credit.balanceCents)}</Text>
      </Group>
      <List listStyleType="none" spacing={4} size="sm">
        {credit.entries.map(({ id, amountCents, goodwillCents, reason, createdAt }) => (
          <List.Item key={id}>
            <Moment at={createdAt} as={formatSellerDate} />: {amountCents > 0 ? "+" : ""}
            {formatAud(amountCents)}, {reason}
            {goodwillCents === 0
              ? ""
              : goodwillCents === amountCents
                ? " (goodwill)"
                : ` (goodwill ${formatAud(goodwillCents)})`}
          </List.Item>
        ))}
      </List>
    </section>
  );
}
