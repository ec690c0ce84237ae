import { Badge, Box, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { formatDateTimeWithSeconds } from "#schema/dates.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import {
  EndpointBadge,
  LastDelivery,
  Timestamp,
  UrlText,
  listTypeNames,
  type ShownEndpoint,
} from "./endpoint-state.tsx";
import type { EndpointActions } from "./use-endpoint-actions.tsx";
import { FactRow } from "#web/ui/fact-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";

interface EndpointHeadProps {
  endpoint: ShownEndpoint;
  onSendTest: () => Promise<void>;
  actions: EndpointActions;
  children: ReactNode;
}

/** Details of an endpoint, with its actions. */
export function EndpointHead({ endpoint, onSendTest, actions, children }: EndpointHeadProps) {
  const { url, description, eventTypes, enabled, disabledAt, disabledReason, createdAt } = endpoint;
  return (
    <Card component="section" padding="lg" shadow="sm" aria-labelledby="endpoint-url">
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start">
          <Box flex="1 1 20rem" miw={0} data-break="anywhere">
            <Title order={2} id="endpoint-url" tabIndex={-1} fz="1.1875rem" lh={1.35} textWrap="wrap">
              <UrlText url={url} />
            </Title>
            {description && <Text c="dimmed">{description}</Text>}
          </Box>
          <Group gap="xs">
            <Button variant="default" onClick={() => actions.edit(endpoint)}>
              Edit
            </Button>
            {enabled ? (
              <BusyButton leftSection={<IconSend size={17} stroke={1.8} aria-hidden="true" />} onPress={onSendTest}>
                Send test event
              </BusyButton>
            ) : (
              <BusyButton onPress={() => actions.turnOn(endpoint)}>Turn on</BusyButton>
            )}
          </Group>
        </Group>
        {!enabled && disabledAt && (
          <Callout tone="critical">
            <p>
              <b>
                We turned this endpoint off on <Moment at={disabledAt} as={formatDateTimeWithSeconds} />.
              </b>{" "}
              {disabledReason} Turn it on when it is ready. You can then replay failed deliveries.
            </p>
          </Callout>
        )}
        {children}
        <FactRow
          facts={[
            ["Status", <EndpointBadge key="status" endpoint={endpoint} />],
            ["Last delivery", <LastDelivery key="delivery" {...endpoint} />],
            ["Added", <Timestamp key="added" at={createdAt} />],
            [
              "Events",
              <Box key="events" component="ul" display="flex" m={0} p={0} style={{ flexWrap: "wrap", gap: "0.375rem" }}>
                {listTypeNames(eventTypes).map((type) => (
                  <Badge key={type} component="li" color="gray" ff="monospace" fw={500}>
                    {type}
                  </Badge>
                ))}
              </Box>,
            ],
          ]}
        />
        <Group gap="xs">
          {enabled && (
            <>
              <Button variant="default" onClick={() => actions.replay(endpoint)}>
                Send events again
              </Button>
              <Button variant="default" onClick={() => actions.turnOff(endpoint)}>
                Turn off
              </Button>
            </>
          )}
          <Button variant="default" onClick={() => actions.rollSecret(endpoint)}>
            Roll secret
          </Button>
          <Button variant="subtle" color="red" onClick={() => actions.remove(endpoint)}>
            Delete
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}
