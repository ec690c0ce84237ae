import { Button, Paper } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { isDay } from "#schema/dates.ts";

/** The filters of a list. On a phone they are behind a button, so that the rows come first. */
export function FilterPanel({ isNarrowed, children }: { isNarrowed: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <Button
        hiddenFrom="sm"
        fullWidth
        mb="sm"
        variant={isNarrowed ? "light" : "default"}
        leftSection={<IconFilter size={18} stroke={1.8} aria-hidden="true" />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isNarrowed ? "Filters (in use)" : "Filters"}
      </Button>
      <Paper
        id={id}
        component="section"
        aria-label="Filter"
        visibleFrom={isOpen ? undefined : "sm"}
        withBorder
        radius="lg"
        px="lg"
        py="md"
      >
        {children}
      </Paper>
    </div>
  );
}

/** Reads a filter from the URL. `empty` has the names of its parameters. */
export function readChoice<TChoice extends Readonly<Record<string, string>>>(
  params: URLSearchParams,
  empty: TChoice,
): TChoice {
  return Object.fromEntries(Object.keys(empty).map((name) => [name, params.get(name) ?? ""])) as TChoice;
}

/** Converts a filter to parameters of the URL or the API, without empty ones. */
export function toParams(choice: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(choice).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])),
  ) as Record<string, string>;
}

/** Converts days in the reader's time zone to the start of the first and the end of the last one; empty without a valid day. */
export function toMoments({ from, to }: { from: string; to: string }): { from: string; to: string } {
  return { from: toTimestamp(from, "00:00:00.000"), to: toTimestamp(to, "23:59:59.999") };
}

function toTimestamp(day: string, time: string): string {
  return isDay(day) ? new Date(`${day}T${time}`).toISOString() : "";
}
