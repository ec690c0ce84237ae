import { Alert, Box, Group, Paper, SimpleGrid, Text, Title } from "@mantine/core";
import { Link } from "react-router-dom";
import type { LoadedQuery } from "#web/ui/loaded.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatError } from "#web/platform/server-error.ts";
import classes from "./link-card.module.css";

export interface CountTile {
  readonly title: string;
  /** Text under the title. */
  readonly hint: string;
  readonly to: string;
  /** Undefined while it loads. */
  readonly count: number | undefined;
  /** The count as text, if it isn't the number. */
  readonly shown?: string | undefined;
  /** True if a count above zero is shown in red. */
  readonly isCritical?: boolean;
  /** True if nobody has to act on a count above zero, which is shown without colour. */
  readonly isNews?: boolean;
}

export interface CountTilesProps {
  title: string;
  query: LoadedQuery<unknown>;
  /** Message if the counts can't be loaded. */
  failure: string;
  tiles: readonly CountTile[];
}

/** A titled row of counts on the admin home, each with a link to what it counts. */
export function CountTiles({ title, query: { data, error, refetch }, failure, tiles }: CountTilesProps) {
  const hasFailed = error !== undefined && data === undefined;
  return (
    <section aria-label={title} aria-busy={(data === undefined && !hasFailed) || undefined}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      {hasFailed ? (
        <Alert color="red">
          <Group gap="sm">
            {formatError(error, failure)}{" "}
            <Button variant="default" size="sm" onClick={() => void refetch().catch(() => undefined)}>
              Try again
            </Button>
          </Group>
        </Alert>
      ) : (
        <SimpleGrid component="ul" cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" m={0} p={0}>
          {tiles.map((tile) => (
            <Box component="li" key={tile.title} display="grid">
              <Paper component={Link} className={classes.link} to={tile.to} withBorder radius="lg" shadow="sm" p="md">
                <Text component="b" display="block" fz="1.75rem" fw={640} lh={1.2} c={getColour(tile)}>
                  {tile.count === undefined ? "…" : (tile.shown ?? tile.count)}
                </Text>{" "}
                <Text span display="block" fw={560} fz="sm" mt={4} data-title>
                  {tile.title}
                </Text>{" "}
                <Text span display="block" c="dimmed" fz="xs">
                  {tile.hint}
                </Text>
              </Paper>
            </Box>
          ))}
        </SimpleGrid>
      )}
    </section>
  );
}

function getColour({ count, isCritical = false, isNews = false }: CountTile): string {
  if (!count) return "var(--xp-faint)";
  if (isNews) return "var(--xp-ink)";
  return isCritical ? "var(--xp-critical)" : "var(--xp-on-accent-soft)";
}
