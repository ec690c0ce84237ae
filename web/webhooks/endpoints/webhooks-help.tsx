import type { CSSProperties } from "react";
import { Badge, Box, Card, DataList, Group, Text, Title } from "@mantine/core";
import { WEBHOOK_FAILING_DAYS } from "#schema/webhooks.ts";
import { describeEvent, listEventTypes, WEBHOOK_DOCS } from "./webhook-labels.ts";

const steps: readonly { title: string; words: string }[] = [
  {
    title: "We send the event",
    words:
      "Each event is a POST request with a JSON body, signed with your endpoint's secret as specified by Standard Webhooks.",
  },
  {
    title: "You respond",
    words:
      "Verify the signature, then respond with a status from 200 to 299 within 10 seconds. Do slow work afterwards.",
  },
  {
    title: "We retry",
    words: `After any other response, or none, we retry seven times, with delays of up to 10 hours. If every attempt fails for ${WEBHOOK_FAILING_DAYS} days, we turn the endpoint off and email you.`,
  },
];

const columns: CSSProperties = {
  gridTemplateColumns: "repeat(auto-fit, minmax(min(16rem, 100%), 1fr))",
  gap: "1rem 1.5rem",
};

/** Explains how webhooks work, lists the events and links to the documentation. */
export function WebhooksHelp() {
  return (
    <Box component="section" mt="xl" aria-labelledby="how-webhooks-work">
      <Title order={2} id="how-webhooks-work" fz="1.25rem">
        How webhooks work
      </Title>
      <Box component="ol" display="grid" m={0} mt="md" p={0} style={columns}>
        {steps.map(({ title, words }, index) => (
          <Box key={title} component="li" display="block" pt="sm" style={{ borderTop: "3px solid var(--xp-bar)" }}>
            <Group gap="xs">
              <Badge circle aria-hidden>
                {index + 1}
              </Badge>
              <Title order={3} fz="md">
                {title}
              </Title>
            </Group>
            <Text size="sm" c="dimmed" mt={6}>
              {words}
            </Text>
          </Box>
        ))}
      </Box>
      <Title order={3} id="webhook-events" fz="1.0625rem" mt="lg">
        Events
      </Title>
      <Card mt="sm">
        <DataList orientation="vertical" withDivider aria-labelledby="webhook-events">
          {listEventTypes().map((type) => (
            <DataList.Item key={type}>
              <DataList.ItemLabel c="var(--xp-ink)" ff="monospace" fw={600}>
                {type}
              </DataList.ItemLabel>
              <DataList.ItemValue c="dimmed">{describeEvent(type)}</DataList.ItemValue>
            </DataList.Item>
          ))}
        </DataList>
      </Card>
      <Text size="sm" c="dimmed" mt="md">
        <a href={WEBHOOK_DOCS}>Read the webhook documentation</a> for the body of each event and code that verifies
        signatures.
      </Text>
    </Box>
  );
}
