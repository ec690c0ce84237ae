import { Anchor, Box, Button, Stack, Text, Card, ThemeIcon, Title, Badge, DataList, Group } from "@mantine/core";
import {
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
  IconWebhook,
} from "@tabler/icons-react";
import { Link } from "react-router-dom";
import { MAX_WEBHOOK_ENDPOINTS, WEBHOOK_FAILING_DAYS } from "#schema/webhooks.ts";
import { paths } from "#web/platform/paths.ts";
import { useWebhookEndpointsQuery } from "#web/generated/graphql.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import {
  EndpointBadge,
  LastDelivery,
  UrlText,
  formatEventTypes,
  listTypeNames,
  type ShownEndpoint,
  describeDeliveryStatus,
  describeEndpointState,
  describeEvent,
  listEventTypes,
  WEBHOOK_DOCS,
} from "./endpoint-state.tsx";
import { useEndpointActions } from "./use-endpoint-actions.tsx";
import classes from "./webhooks.module.css";
import { useSession } from "#web/platform/session.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import type { CSSProperties } from "react";

const columns: readonly Column<ShownEndpoint>[] = [
  {
    title: "Endpoint",
    text: ({ url, description }) => `${url} ${description}`,
    render: ({ id, url, description }) => (
      <Box className={classes.endpoint} miw="12rem" data-break="anywhere">
        {/* The endpoint's page shows long URLs in full. */}
        <Anchor
          component={Link}
          inherit
          fw={560}
          lineClamp={3}
          title={url}
          to={paths.webhookEndpoint.href({ endpointId: id })}
        >
          <UrlText url={url} />
        </Anchor>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </Box>
    ),
  },
  {
    title: "Events",
    // The search includes the names of all events.
    text: ({ eventTypes }) => `${formatEventTypes(eventTypes)} ${listTypeNames(eventTypes).join(" ")}`,
    render: ({ eventTypes }) => (
      <Text span inherit title={listTypeNames(eventTypes).join(", ")} data-break="never">
        {formatEventTypes(eventTypes)}
      </Text>
    ),
  },
  {
    title: "Status",
    text: (endpoint) => `${describeEndpointState(endpoint).label} ${endpoint.disabledReason ?? ""}`,
    render: (endpoint) => (
      <Stack gap={4} align="flex-start">
        <EndpointBadge endpoint={endpoint} />
        {!endpoint.enabled && endpoint.disabledReason && (
          <Text size="xs" c="var(--xp-critical)" maw="20rem">
            {endpoint.disabledReason}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    title: "Last delivery",
    text: ({ lastStatus }) => (lastStatus ? describeDeliveryStatus(lastStatus, true).label : "None yet"),
    sortBy: ({ lastDeliveryAt }) => lastDeliveryAt ?? "",
    render: LastDelivery,
  },
];

/** Table of the user's webhook endpoints, with their actions. */
export function EndpointsTable() {
  const { data, error, refetch } = useWebhookEndpointsQuery();
  const reload = () => void refetch().catch(() => undefined);
  const { add, edit, rollSecret, turnOn, turnOff, remove } = useEndpointActions(reload);
  const endpoints = data?.webhookEndpoints;

  const addButton = (
    <Button size="sm" leftSection={<IconPlus size={17} stroke={1.8} aria-hidden="true" />} onClick={add}>
      Add endpoint
    </Button>
  );

  const getActions = (endpoint: ShownEndpoint): RowAction[] => [
    { label: "Deliveries", icon: IconListDetails, to: paths.webhookEndpoint.href({ endpointId: endpoint.id }) },
    { label: "Edit", icon: IconPencil, onSelect: () => edit(endpoint) },
    { label: "Roll secret", icon: IconKey, onSelect: () => rollSecret(endpoint) },
    endpoint.enabled
      ? { label: "Turn off", icon: IconPlayerPause, onSelect: () => turnOff(endpoint) }
      : { label: "Turn on", icon: IconPlayerPlay, onSelect: () => void turnOn(endpoint) },
    { label: "Delete", icon: IconTrash, danger: true, onSelect: () => remove(endpoint) },
  ];

  return (
    // Takes the focus when the table is gone with its last row.
    <div tabIndex={-1} role="group" aria-label="Endpoints">
      {endpoints?.length === 0 ? (
        <Card withBorder={false} component="section" padding="xl" aria-labelledby="no-endpoints">
          <Stack align="center" ta="center" gap="sm">
            <ThemeIcon variant="light" size="3.5rem" radius="lg" aria-hidden>
              <IconWebhook size={30} stroke={1.5} />
            </ThemeIcon>
            <Title order={2} id="no-endpoints" fz="1.375rem">
              No endpoints yet
            </Title>
            <Text c="dimmed" maw="36rem" mb="xs">
              A webhook is a message from us to your own software. Add the URL of your software and choose its events.
              It will receive each event within seconds, without polling.
            </Text>
            {addButton}
          </Stack>
        </Card>
      ) : (
        <DataTable
          name="Webhook endpoints"
          columns={columns}
          rows={endpoints}
          rowId={({ id }) => id}
          pageSize={10}
          rowLabel={({ url }) => url}
          actions={getActions}
          // Wait for the endpoints, which decide whether to show the button or the limit.
          toolbar={
            endpoints &&
            (endpoints.length < MAX_WEBHOOK_ENDPOINTS ? (
              addButton
            ) : (
              <Text size="sm" c="dimmed" maw="22rem">
                You have reached the limit of {MAX_WEBHOOK_ENDPOINTS} endpoints. Delete one to add another.
              </Text>
            ))
          }
          emptyMessage="No endpoints."
          error={data ? undefined : error}
          failure="Unable to load your webhook endpoints."
          onRetry={reload}
        />
      )}
    </div>
  );
}

/** Page of the user's webhook endpoints, for customers and admins. */
export default function WebhooksPage() {
  const isAdmin = useSession()?.claims.role === "admin";
  return (
    <PageLayout
      title={paths.webhooks.title}
      lead={
        isAdmin
          ? "Send events about every customer's licences, subscriptions and invoices to your own software."
          : "Send events about your licences, subscription and invoices to your own software."
      }
      back={{ to: paths.developers.href(), label: "Developers" }}
    >
      <EndpointsTable />
      <WebhooksHelp />
    </PageLayout>
  );
}

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

const helpColumns: CSSProperties = {
  gridTemplateColumns: "repeat(auto-fit, minmax(min(16rem, 100%), 1fr))",
  gap: "1rem 1.5rem",
};

/** Explains how webhooks work, lists the events and links to the documentation. */
function WebhooksHelp() {
  return (
    <Box component="section" mt="xl" aria-labelledby="how-webhooks-work">
      <Title order={2} id="how-webhooks-work" fz="1.25rem">
        How webhooks work
      </Title>
      <Box component="ol" display="grid" m={0} mt="md" p={0} style={helpColumns}>
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
