import { Box, Divider, Group, Paper, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { formatAud, isBelowCardMinimum } from "#schema/money.ts";
import { formatLevel, periodNames, type Product } from "./products.ts";
import type { PromoQuote } from "./use-promo-code.ts";

/** Shows the price before and after a discount. Without a discount, shows only the price. */
function ReducedPrice({ originalCents, cents }: { originalCents: number | null; cents: number }) {
  return (
    <>
      {originalCents !== null && (
        // Mantine removes the line of the element.
        <Text component="s" size="sm" c="dimmed" td="line-through">
          <VisuallyHidden>Original price </VisuallyHidden>
          {formatAud(originalCents)}
        </Text>
      )}
      <Text component="strong" fz="1.625rem" fw={640} lh={1.2}>
        {originalCents !== null && <VisuallyHidden>Discounted price </VisuallyHidden>}
        {formatAud(cents)}
      </Text>
    </>
  );
}

interface PriceBoxProps {
  product: Product | null;
  promo: PromoQuote | null;
  busy: boolean;
}

/** Shows the exact amount that the card will be charged, as calculated by the server. */
export function PriceBox({ product, promo, busy }: PriceBoxProps) {
  return (
    <Paper
      component="section"
      withBorder
      radius="lg"
      shadow="sm"
      p="lg"
      aria-label="Price"
      aria-busy={busy || undefined}
    >
      <Title order={2} fz="sm" fw={560} c="dimmed">
        Summary
      </Title>
      <Box aria-live="polite" opacity={busy ? 0.55 : undefined}>
        {product ? (
          <PriceLines product={product} promo={promo} />
        ) : (
          <Text c="dimmed" mt="xs">
            Choose a subscription level to see its price in AUD.
          </Text>
        )}
      </Box>
    </Paper>
  );
}

function PriceLines({ product, promo }: { product: Product; promo: PromoQuote | null }) {
  const { amountCents, gstCents, totalCents } = promo ?? product;
  const withGst = gstCents > 0;
  return (
    <>
      <Text fz="1.1875rem" fw={640} mt={4}>
        {formatLevel(product.planPrice)}
      </Text>
      <Stack component="dl" gap="xs" my="md">
        <Line name="Price" cents={amountCents} />
        {promo && <Line name="Discount" cents={-promo.discountCents} color="var(--xp-brand)" />}
        {withGst && <Line name="GST" cents={gstCents} />}
      </Stack>
      <Divider />
      <Group justify="space-between" align="flex-end" gap="xs" mt="md">
        <Text component="div" fw={600}>
          {isBelowCardMinimum(totalCents) ? "Added to your next payment" : "Total today"}
          <Text size="xs" c="dimmed">
            {withGst ? "AUD, including GST" : "AUD"}
          </Text>
        </Text>
        <Stack gap={0} align="flex-end" ml="auto">
          <ReducedPrice originalCents={promo?.fullTotalCents ?? null} cents={totalCents} />
        </Stack>
      </Group>
      <Text size="sm" c="dimmed" mt="md">
        Then {formatAud(promo?.fullTotalCents ?? totalCents)} every {periodNames[product.planPrice.interval]}
        {withGst ? ", including GST," : ""} until you cancel.
      </Text>
    </>
  );
}

function Line({ name, cents, color }: { name: string; cents: number; color?: string }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text component="dt" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} c={color}>
        {formatAud(cents)}
      </Text>
    </Group>
  );
}
