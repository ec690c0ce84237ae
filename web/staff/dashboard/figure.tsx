import { Group, Text, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { Link } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import classes from "#web/staff/admin/link-card.module.css";

export interface FigureProps {
  name: string;
  /** Formatted value, such as `1,204`, `A$599.73` or `12%`. */
  value: string;
  /** URL of the figure's list. */
  to: string;
  /** Change from the previous value. Omitted if there is nothing to compare with. */
  change?: Change | undefined;
  /** Explanation below the value. */
  hint?: string;
}

export interface Change {
  /** Formatted difference, such as `+4` or `−12%`. */
  text: string;
  /** Basis of the comparison, such as `compared with the previous 30 days`. */
  since: string;
  direction: "up" | "down" | "same";
  isGood: boolean | null;
}

/** Shows a figure that links to its list. */
export function Figure({ name, value, to, change, hint }: FigureProps) {
  return (
    <UnstyledButton component={Link} to={to} className={classes.link} mx={-10} my={-8} px={10} py={8} bdrs="md">
      <Text span display="block" c="dimmed" fz="sm" fw={560} data-title>
        {name}
      </Text>{" "}
      <Group component="span" align="baseline" gap="2px 10px">
        <Text component="b" fz="1.75rem" fw={640} lh={1.2} lts="-0.022em">
          {value}
        </Text>{" "}
        {change && (
          <Text
            span
            fz="sm"
            fw={560}
            c={change.isGood === null ? "dimmed" : change.isGood ? "var(--xp-brand)" : "var(--xp-critical)"}
            title={change.since}
          >
            <span aria-hidden="true">{change.direction === "up" ? "↗ " : change.direction === "down" ? "↘ " : ""}</span>
            {change.text} <VisuallyHidden>{change.since}</VisuallyHidden>
          </Text>
        )}
      </Group>{" "}
      {hint && (
        <Text span display="block" c="dimmed" fz="xs">
          {hint}
        </Text>
      )}
    </UnstyledButton>
  );
}

/** Changes from values below this are shown as numbers, because percentages of small values say little. */
const MIN_PERCENT_BASE = 20;

/**
 * Compares a figure with its previous value.
 * @param good the favourable direction, or null if neither is
 * @param format formats a difference that isn't shown as a percentage
 */
export function compareFigure(
  { value, before }: { value: number; before: number },
  since: string,
  good: "up" | "down" | null,
  format: (difference: number) => string = (difference) => formatNumber(difference),
): Change {
  const difference = value - before;
  if (difference === 0) return { text: "±0", since, direction: "same", isGood: null };
  const direction = difference > 0 ? "up" : "down";
  const sign = difference > 0 ? "+" : "−";
  const size = Math.abs(difference);
  const text = before < MIN_PERCENT_BASE ? `${sign}${format(size)}` : `${sign}${formatPercent(size / before)}`;
  return { text, since, direction, isGood: good === null ? null : good === direction };
}

/** Formats a share as a percentage, with one decimal below 10%. */
export function formatPercent(share: number): string {
  const digits = share * 100 < 10 ? 1 : 0;
  return `${formatNumber(share * 100, digits)}%`;
}
