import levels from "content:levels";
import { Badge, Box, Group, Input, List, Paper, Radio, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { memo, type ReactNode, useState } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { formatAud, formatUsd } from "#schema/money.ts";
import { LevelIcon } from "#web/billing/plans/level-icon.tsx";
import { useField } from "#web/ui/form/use-field.tsx";
import {
  formatLevel,
  periodNames,
  type Product,
  calculateYearlySaving,
  formatPrices,
  groupByPlan,
  type PlanProducts,
} from "./products.ts";
import type { BillingInterval } from "#web/generated/graphql.ts";

/** Remarks on a card about a plan price. */
export interface LevelNote {
  /** Badge such as `Current plan`. */
  readonly badge?: string;
  readonly text?: string;
  readonly isDisabled?: boolean;
}

interface LevelFieldProps<TValues extends FieldValues> {
  control: Control<TValues>;
  name: FieldPath<TValues>;
  products: readonly Product[];
  /** Interval shown before a level is chosen. */
  interval?: BillingInterval;
  describe?: (product: Product) => LevelNote;
}

// The same for both intervals, so the switch between them doesn't draw them again.
const Icon = memo(LevelIcon);
const Features = memo(FeatureList);

const none = (): LevelNote => ({});

/** Choice of a plan: a switch for the interval, and a radio button for each plan. Plans that retire take one line. */
export function LevelField<TValues extends FieldValues>(props: LevelFieldProps<TValues>) {
  const { control, name, products, describe = none } = props;
  const { value, frame, box } = useField({ control, name, label: "Subscription Level" });
  const { ref, id, name: groupName, onChange, onBlur, ...states } = box;
  const chosen = products.find(({ id }) => id === value);
  const [preferred, setPreferred] = useState<BillingInterval>(props.interval ?? "YEARLY");
  const interval = chosen?.planPrice.interval ?? preferred;
  const plans = groupByPlan(products);
  const savings = plans.map(calculateYearlySaving).filter((percent) => percent > 0);
  const options = plans.map((plan) => ({ plan, product: findPrice(plan, interval) }));

  function show(next: BillingInterval) {
    setPreferred(next);
    const plan = plans.find((one) => chosen && one.products.includes(chosen));
    const counterpart = plan && findPrice(plan, next);
    if (counterpart) onChange(describe(counterpart).isDisabled ? "" : counterpart.id);
  }

  const renderOption = ({ plan, product }: (typeof options)[number]) => (
    <PlanOption key={plan.slug} plan={plan} product={product} note={describe(product)} isChosen={product.id === value}>
      <Radio
        name={groupName}
        value={product.id}
        checked={product.id === value}
        disabled={describe(product).isDisabled}
        onChange={() => onChange(product.id)}
        onBlur={onBlur}
        aria-label={`${formatLevel(product.planPrice)}${plan.isRetiring ? " (retiring)" : ""}, ${formatPrices(product)}`}
        aria-describedby={`${product.id}-note`}
      />
    </PlanOption>
  );
  const retiring = options.filter(({ plan }) => plan.isRetiring);

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
      <Stack
        ref={ref}
        id={id}
        role="radiogroup"
        tabIndex={-1}
        // A form with errors focuses the group, where the focus would be invisible.
        onFocus={({ target, currentTarget }) => {
          if (target !== currentTarget) return;
          const radios = [...currentTarget.querySelectorAll<HTMLInputElement>("input:enabled")];
          (radios.find(({ checked }) => checked) ?? radios[0])?.focus();
        }}
        // A press that chooses nothing would focus the group, and thereby scroll to a plan.
        onMouseDown={(event) => {
          if (!(event.target as Element).closest("label")?.querySelector("input:enabled")) event.preventDefault();
        }}
        aria-labelledby={`${id}-label`}
        aria-describedby={states["aria-describedby"]}
        aria-invalid={states["aria-invalid"]}
        aria-required
        gap="sm"
      >
        {options.filter(({ plan }) => !plan.isRetiring).map(renderOption)}
        {retiring.length > 0 && (
          <>
            <Text size="sm" c="dimmed" mt="xs">
              Retiring plans
            </Text>
            {retiring.map(renderOption)}
          </>
        )}
      </Stack>
      {frame.error && (
        <Input.Error id={`${id}-error`} mt="xs">
          {frame.error}
        </Input.Error>
      )}
    </Box>
  );
}

/** Returns a plan's price for an interval, or its only price. */
function findPrice({ products }: PlanProducts, interval: BillingInterval): Product {
  const found = products.find(({ planPrice }) => planPrice.interval === interval) ?? products[0];
  if (!found) throw new Error("A plan has at least one price.");
  return found;
}

interface PlanOptionProps {
  plan: PlanProducts;
  product: Product;
  note: LevelNote;
  isChosen: boolean;
  children: ReactNode;
}

function PlanOption({ plan, product, note, isChosen, children }: PlanOptionProps) {
  const level = levels.find(({ slug }) => slug === plan.slug);
  const isLarge = !plan.isRetiring;
  const colour = isChosen ? "var(--xp-brand)" : "var(--xp-line)";
  return (
    <Paper
      component="label"
      radius="lg"
      px="md"
      py={isLarge ? "md" : "xs"}
      bd={`1px solid ${colour}`}
      bg={isLarge ? undefined : "var(--xp-sunken)"}
      style={{
        display: "block",
        cursor: note.isDisabled ? "default" : "pointer",
        boxShadow: isChosen ? `0 0 0 1px ${colour}` : undefined,
      }}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start">
        {children}
        <Group flex={1} miw={0} justify="space-between" align="flex-start" gap="0.25rem 1rem">
          <Group gap="xs">
            {isLarge && level && (
              <Box display="grid" flex="none" style={{ zoom: 0.6 }}>
                <Icon level={level} />
              </Box>
            )}
            <Text span fw={isLarge ? 640 : 560} fz={isLarge ? "lg" : "md"} lh={1.4}>
              {plan.name}
            </Text>
            <Group gap={6} id={`${product.id}-note`}>
              {note.badge && <Badge size="md">{note.badge}</Badge>}
              {!note.badge && isLarge && level && <Badge size="md">{level.label}</Badge>}
              {note.text && (
                <Text span size="xs" c="dimmed">
                  {note.text}
                </Text>
              )}
            </Group>
          </Group>
          <Text component="div" ta={{ xs: "right" }}>
            <Text span fz={isLarge ? "1.5rem" : "md"} fw={640} lh={1.2}>
              {formatAud(product.totalCents)}
            </Text>
            <Text span size="xs" c="dimmed">
              {" "}
              a {periodNames[product.planPrice.interval]}
              {product.gstCents > 0 ? ", incl. GST" : ""}
              {isLarge && ` · ${formatUsd(product.planPrice.usdCents)}`}
            </Text>
          </Text>
        </Group>
      </Group>
      {isLarge && level && <Features features={level.adds} />}
    </Paper>
  );
}

function FeatureList({ features }: { features: readonly string[] }) {
  return (
    <List
      size="sm"
      lh={1.4}
      mt="sm"
      ms="2rem"
      spacing={6}
      icon={<IconCheck size={16} color="var(--xp-brand)" aria-hidden />}
      styles={{ itemIcon: { alignSelf: "flex-start", marginTop: 2 } }}
    >
      {features.map((feature) => (
        <List.Item key={feature}>{feature}</List.Item>
      ))}
    </List>
  );
}
