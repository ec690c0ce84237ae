import { Badge, Box, Code, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { formatJson } from "#web/platform/format-json.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { FactRow } from "#web/ui/fact-cards.tsx";
import {
  Timestamp,
  formatAttemptResult,
  formatDuration,
  type ShownAttempt,
  type ShownDelivery,
  getAttemptColor,
  wasInterrupted,
} from "./endpoint-state.tsx";
import { toValue } from "#schema/closed-list.ts";
import { describeResponseStatus, webhookEvents } from "#schema/webhooks.ts";

/** Payload and attempts of a delivery. */
export function DeliveryDetails(props: {
  delivery: ShownDelivery;
  /** Null while the endpoint is off. */
  onReplay: (() => Promise<void>) | null;
}) {
  const { delivery, onReplay } = props;
  const { id, eventId, eventType, createdAt, nextAttemptAt, deliveredAt, payload, attempts } = delivery;
  const typeName = toValue(webhookEvents, eventType);
  const body = formatJson(payload);
  return (
    <Stack gap="md" p="md" style={{ borderTop: "1px solid var(--xp-line)" }}>
      <Group justify="space-between" align="flex-start">
        <FactRow
          facts={[
            ["Event ID", <code key="id">{eventId}</code>],
            ["Created", <Timestamp key="created" at={createdAt} />],
            deliveredAt && ["Delivered", <Timestamp key="delivered" at={deliveredAt} />],
            nextAttemptAt && [
              "Next attempt",
              wasInterrupted(delivery) ? "In a moment" : <Timestamp key="next" at={nextAttemptAt} />,
            ],
          ]}
        />
        {onReplay ? (
          <BusyButton
            variant="default"
            size="sm"
            label={`Replay ${typeName}`}
            leftSection={<IconRepeat size={16} stroke={1.8} aria-hidden="true" />}
            onPress={onReplay}
          >
            Replay
          </BusyButton>
        ) : (
          <Text size="sm" c="dimmed">
            Turn the endpoint on to replay this delivery.
          </Text>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <section aria-labelledby={`attempts-${id}`}>
          <Title order={3} id={`attempts-${id}`} fz="md" lh="1.875rem">
            Attempts
          </Title>
          {attempts.length === 0 && (
            <Text size="sm" c="dimmed">
              None yet.
            </Text>
          )}
          <Box component="ol" reversed display="grid" m={0} mt="xs" p={0} style={{ gap: "1rem", listStyle: "none" }}>
            {attempts
              .map((attempt, index) => (
                <Attempt
                  key={attempt.id}
                  attempt={attempt}
                  number={index + 1}
                  isNewest={index === attempts.length - 1}
                />
              ))
              .reverse()}
          </Box>
        </section>
        <section aria-labelledby={`payload-${id}`}>
          <Group justify="space-between">
            <Title order={3} id={`payload-${id}`} fz="md">
              Payload
            </Title>
            <CopyButton text={body} size="xs" successMessage="The payload has been copied to clipboard." />
          </Group>
          <Scrolling label={`Payload of ${typeName}`}>{body}</Scrolling>
        </section>
      </SimpleGrid>
    </Stack>
  );
}

/** One attempt with its response, which is expanded for the latest attempt. */
function Attempt({ attempt, number, isNewest }: { attempt: ShownAttempt; number: number; isNewest: boolean }) {
  const { at, durationMs, responseStatus, responseBody, error } = attempt;
  return (
    <li>
      <Group gap="xs">
        <b>Attempt {number}</b> <Badge color={getAttemptColor(attempt)}>{formatAttemptResult(attempt)}</Badge>{" "}
        <Timestamp at={at} />{" "}
        {durationMs > 0 && (
          <Text span size="sm" c="dimmed">
            {formatDuration(durationMs)}
          </Text>
        )}
      </Group>
      {/* The badge already shows the status. */}
      {error && error !== describeResponseStatus(responseStatus) && (
        <Text size="sm" mt={6} c={attempt.status === "INTERRUPTED" ? undefined : "red"} data-break="anywhere">
          {error}
        </Text>
      )}
      {responseBody ? (
        <details open={isNewest}>
          <Text component="summary" size="sm" w="fit-content" c="var(--xp-brand)" style={{ cursor: "pointer" }}>
            Response
          </Text>
          <Scrolling label={`Response to attempt ${number}`}>{formatJson(responseBody)}</Scrolling>
        </details>
      ) : (
        responseStatus !== null && (
          <Text size="sm" c="dimmed">
            The response has no text.
          </Text>
        )
      )}
    </li>
  );
}

/** Preformatted text that scrolls, also by keyboard. */
function Scrolling({ label, children }: { label: string; children: string }) {
  return (
    <Code
      block
      tabIndex={0}
      role="group"
      aria-label={label}
      mah="24rem"
      mt="xs"
      style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
    >
      {children}
    </Code>
  );
}
