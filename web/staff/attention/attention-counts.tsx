import { Alert, Box, Group, Paper, SimpleGrid, Text, Title } from "@mantine/core";
import { Link } from "react-router-dom";
import { attentionLists } from "#schema/attention.ts";
import { paths } from "#web/platform/paths.ts";
import { useAttentionQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { formatError } from "#web/platform/server-error.ts";
import classes from "#web/staff/admin/link-card.module.css";
import { formatCount, attentionTexts } from "./attention-texts.ts";

/** Shows the number of rows in each attention list, with a link to the list. */
export function AttentionCounts() {
  const { data, error, refetch } = useAttentionQuery();
  return (
    <section aria-labelledby="attention-title" aria-busy={(!data && !error) || undefined}>
      <Title order={2} id="attention-title" size="h3" mb="sm">
        What needs attention today
      </Title>
      {error && !data ? (
        <Alert color="red">
          <Group gap="sm">
            {formatError(error, "Unable to count what needs attention.")}{" "}
            <Button variant="default" size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          </Group>
        </Alert>
      ) : (
        <SimpleGrid component="ul" minColWidth="min(100%, 9.5rem)" autoFlow="auto-fit" spacing="sm" m={0} p={0}>
          {attentionLists.map(({ value: list, code }) => {
            const { title, hint, isCritical } = attentionTexts[list];
            const tally = data?.attention.find((one) => one.list === code);
            return (
              <Box component="li" key={list} display="grid">
                <Paper
                  component={Link}
                  className={classes.link}
                  to={paths.attention.href({ list })}
                  withBorder
                  radius="lg"
                  shadow="sm"
                  p="md"
                >
                  <Text
                    component="b"
                    display="block"
                    fz="1.75rem"
                    fw={640}
                    lh={1.2}
                    c={getCountColour(tally?.count, isCritical)}
                  >
                    {tally ? formatCount(tally) : "…"}
                  </Text>{" "}
                  <Text span display="block" fw={560} fz="sm" mt={4} data-title>
                    {title}
                  </Text>{" "}
                  <Text span display="block" c="dimmed" fz="xs">
                    {hint}
                  </Text>
                </Paper>
              </Box>
            );
          })}
        </SimpleGrid>
      )}
    </section>
  );
}

function getCountColour(count: number | undefined, isCritical: boolean): string {
  if (!count) return "var(--xp-faint)";
  return isCritical ? "var(--xp-critical)" : "var(--xp-on-accent-soft)";
}
