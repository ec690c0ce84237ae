import { Box, Card } from "@mantine/core";
import type { ReactNode } from "react";

/** A list in a card with a line between its rows. */
export function RowList({ children }: { children: ReactNode }) {
  return (
    <Card component="ul" withBorder radius="lg" m={0}>
      {children}
    </Card>
  );
}

/** A row of a {@link RowList}. Its cells become lines on phones. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <Card.Section component="li" withBorder inheritPadding py="sm">
      <Box
        display="grid"
        fz="sm"
        c="dimmed"
        style={{
          gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 12rem), 1fr))",
          gap: "0.125rem 1.5rem",
          overflowWrap: "anywhere",
        }}
      >
        {children}
      </Box>
    </Card.Section>
  );
}
