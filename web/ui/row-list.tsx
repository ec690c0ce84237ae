import { Box, Card } from "@mantine/core";
import type { ReactNode } from "react";

/** Shows a list in a card with a line between its rows. The cells of a row become lines on phones. */
export function RowList({ rows }: { rows: readonly { id: string; cells: ReactNode }[] }) {
  return (
    <Card component="ul" padding="lg" m={0} fz="sm" c="dimmed">
      {rows.map(({ id, cells }) => (
        <Card.Section key={id} component="li" withBorder inheritPadding py="sm">
          <Box
            display="grid"
            style={{
              gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 12rem), 1fr))",
              gap: "0.125rem 1.5rem",
              overflowWrap: "anywhere",
            }}
          >
            {cells}
          </Box>
        </Card.Section>
      ))}
    </Card>
  );
}
