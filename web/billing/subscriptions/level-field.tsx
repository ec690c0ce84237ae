import levels from "content:levels";
import { Badge, Box, Flex, Group, Input, List, Paper, Radio, SegmentedControl, SimpleGrid, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { formatAud, formatUsd } from "#schema/money.ts";
import { LevelIcon } from "#web/billing/plans/level-icon.tsx";
import { useField } from "#web/ui/form/use-field.tsx";
import { calculateYearlySaving, formatPrices, groupByPlan, type PlanProducts } from "./product-prices.ts";
import { formatLevel, type Product } from "./products.ts";
import type { BillingInterval } from "#web/generated/graphql.ts";

/** Remarks on a card about a plan price. */
export interface LevelNote {
  /** Badge such as `Current plan`. */
  readonly badge?: string;
  /** When the change happens. */
  readonly text?: string;
  readonly isDisabled?: boolean;
}

export interface LevelFieldProps<TValues extends FieldValues> {
  control: Control<TValues>;
  name: FieldPath<TValues>;
  products: readonly Product[];
  /** Interval shown before a level is chosen. */
  interval?: BillingInterval;
  describe?: (product: Product) => LevelNote;
}

const periods: Readonly<Record<BillingInterval, string>> = { MONTHLY: "month", YEARLY: "year" };
const none = (): LevelNote => ({});

/**
 * Choice of a plan and its interval as cards. The switch enlarges the price of one interval; every price of every plan is
 * an option of the radio group at all times.
 */
export function LevelField<TValues extends FieldValues>(props: LevelFieldProps<TValues>) {
  const { control, name, products, describe = none } = props;
  const { value, frame, box } = useField({ control, name, label: "Subscription Level" });
  const { ref, id, name: groupName, onChange, onBlur, ...states } = box;
  const chosen = products.find(({ id }) => id === value);
  const [preferred, setPreferred] = useState<BillingInterval>(props.interval ?? "YEARLY");
  const interval = chosen?.planPrice.interval ?? preferred;
  const plans = groupByPlan(products);
  const savings = plans.map(calculateYearlySaving).filter((percent) => percent > 0);

  function show(next: BillingInterval) {
    setPreferred(next);
    if (!chosen) return;
    const plan = plans.find((one) => one.products.includes(chosen));
    const counterpart = plan?.products.find(({ planPrice }) => planPrice.interval === next);
    onChange(counterpart && !describe(counterpart).isDisabled ? counterpart.id : "");
  }

  return (
    <Box>
      <Group justify="space-between" mb="sm" gap="xs">
        <Input.Label id={`${id}-label`} labelElement="div">
          {frame.label}
        </Input.Label>
        <SegmentedControl<BillingInterval>
          aria-label="Billing interval"
          size="sm"
          value={interval}
          onChange={show}
          data={[
            { value: "MONTHLY", label: "Monthly" },
            { value: "YEARLY", label: savings.length > 0 ? `Yearly, save ${Math.min(...savings)}%` : "Yearly" },
          ]}
        />
      </Group>
      <SimpleGrid
        ref={ref}
        id={id}
        role="radiogroup"
        tabIndex={-1}
        aria-labelledby={`${id}-label`}
        aria-describedby={states["aria-describedby"]}
        aria-invalid={states["aria-invalid"]}
        aria-required
        type="container"
        cols={{ base: 1, "34rem": plans.length }}
        spacing="sm"
      >
        {plans.map((plan) => (
          <PlanCard key={plan.slug} plan={plan} isChosen={plan.products.some(({ id }) => id === value)}>
            {plan.products.map((product) => {
              const isMain = product.planPrice.interval === interval || plan.products.length === 1;
              return (
                <PriceOption key={product.id} plan={plan} product={product} note={describe(product)} isMain={isMain}>
                  <Radio
                    name={groupName}
                    value={product.id}
                    checked={product.id === value}
                    disabled={describe(product).isDisabled}
                    onChange={() => onChange(product.id)}
                    onBlur={onBlur}
                    aria-label={`${formatLevel(product.planPrice)}${plan.isRetiring ? " (retiring)" : ""}, ${formatPrices(product)}`}
                    aria-describedby={`${product.id}-note`}
                    size={isMain ? "sm" : "xs"}
                  />
                </PriceOption>
              );
            })}
          </PlanCard>
        ))}
      </SimpleGrid>
      {frame.error && (
        <Input.Error id={`${id}-error`} mt="xs">
          {frame.error}
        </Input.Error>
      )}
    </Box>
  );
}

function PlanCard(props: { plan: PlanProducts; isChosen: boolean; children: ReactNode }) {
  const { isChosen, children } = props;
  const colour = isChosen ? "var(--xp-brand)" : "var(--xp-line)";
  return (
    <Paper
      radius="lg"
      display="flex"
      bd={`1px solid ${colour}`}
      style={{
        flexDirection: "column",
        overflow: "hidden",
        boxShadow: isChosen ? `0 0 0 1px ${colour}, var(--xp-shadow-md)` : "var(--xp-shadow-sm)",
      }}
    >
      {children}
    </Paper>
  );
}

interface PriceOptionProps {
  plan: PlanProducts;
  product: Product;
  note: LevelNote;
  /** True for the large price, false for the line with the other interval. */
  isMain: boolean;
  children: ReactNode;
}

function PriceOption({ plan, product, note, isMain, children }: PriceOptionProps) {
  const Content = isMain ? LargePrice : OtherPrice;
  return (
    // The option stays at the same place in the tree when the interval changes, so it keeps the focus.
    <Flex
      component="label"
      justify="space-between"
      align={isMain ? "flex-start" : "center"}
      gap="xs"
      px="md"
      py={isMain ? "md" : "xs"}
      flex={isMain ? 1 : undefined}
      bg={isMain ? undefined : "var(--xp-sunken)"}
      style={{
        cursor: note.isDisabled ? "default" : "pointer",
        order: isMain ? 0 : 1,
        borderTop: isMain ? undefined : "1px solid var(--xp-line)",
      }}
    >
      <Box flex={1} miw={0}>
        <Content plan={plan} product={product} note={note} />
      </Box>
      {children}
    </Flex>
  );
}

type PriceProps = Pick<PriceOptionProps, "plan" | "product" | "note">;

function OtherPrice({ product, note }: PriceProps) {
  const { interval } = product.planPrice;
  return (
    <Text span size="sm" c="dimmed">
      or{" "}
      <Text span inherit c="var(--xp-ink)" fw={560}>
        {formatAud(product.totalCents)}
      </Text>{" "}
      a {periods[interval]}
      <Text span inherit size="xs" display="block" id={`${product.id}-note`}>
        {note.badge ?? note.text}
      </Text>
    </Text>
  );
}

function LargePrice({ plan, product, note }: PriceProps) {
  const { interval } = product.planPrice;
  const level = levels.find(({ slug }) => slug === plan.slug);
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        {level && (
          <Box display="grid" flex="none" style={{ zoom: 0.6 }}>
            <LevelIcon level={level} />
          </Box>
        )}
        <Text span fw={640} fz="lg" lh={1.2}>
          {plan.name}
        </Text>
      </Group>
      <Group gap={6} mt="xs" mih={26} id={`${product.id}-note`}>
        {note.badge && <Badge size="md">{note.badge}</Badge>}
        {!note.badge && level && (
          <Badge size="md" color={plan.isRetiring ? "gray" : "spruce"}>
            {level.label}
          </Badge>
        )}
        {note.text && (
          <Text span size="xs" c="dimmed">
            {note.text}
          </Text>
        )}
      </Group>
      <Text fz="1.5rem" fw={640} lh={1.2} mt="xs">
        {formatAud(product.totalCents)}
      </Text>
      <Text size="xs" c="dimmed">
        a {periods[interval]}
        {product.gstCents > 0 ? ", incl. GST" : ""} ·{" "}
        <Text span inherit style={{ whiteSpace: "nowrap" }}>
          {formatUsd(product.planPrice.usdCents)}
        </Text>
      </Text>
      {level && (
        <List
          size="sm"
          lh={1.4}
          mt="sm"
          spacing={6}
          icon={<IconCheck size={16} color="var(--xp-brand)" aria-hidden />}
          styles={{ itemIcon: { alignSelf: "flex-start" } }}
        >
          {level.adds.map((feature) => (
            <List.Item key={feature}>{feature}</List.Item>
          ))}
        </List>
      )}
    </>
  );
}
