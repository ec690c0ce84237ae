import { Button, Paper } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";

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
