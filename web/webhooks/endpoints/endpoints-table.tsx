import {
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { MOST_WEBHOOK_ENDPOINTS } from "#schema/webhooks.ts";
import { paths } from "#web/platform/paths.ts";
import { useWebhookEndpointsQuery } from "#web/generated/graphql.ts";
import { Button } from "#web/ui/button.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { type AskedOfEndpoint, EndpointDialogs } from "./endpoint-dialogs.tsx";
import { EndpointBadge, LastDelivery } from "./endpoint-state.tsx";
import { NoEndpoints } from "./no-endpoints.tsx";
import { UrlText } from "./url-text.tsx";
import { useTurnOn } from "./use-turn-on.ts";
import { eventsInWords, type ShownEndpoint, stateOfDelivery, stateOfEndpoint } from "./webhook-words.ts";
import classes from "./webhooks.module.css";

const columns: readonly Column<ShownEndpoint>[] = [
  {
    title: "Endpoint",
    text: ({ url, description }) => `${url} ${description}`,
    render: ({ id, url, description }) => (
      <span className={classes.endpoint}>
        <Link className={classes.url} title={url} to={paths.webhookEndpoint.href({ endpointId: id })}>
          <UrlText url={url} />
        </Link>
        {description && <span className={classes.description}>{description}</span>}
      </span>
    ),
  },
  {
    title: "Events",
    // Searched by name too, however they are shown.
    text: ({ eventTypes }) => `${eventsInWords(eventTypes)} ${eventTypes.join(" ")}`,
    render: ({ eventTypes }) => (
      <span className={classes.events} title={eventTypes.join(", ")}>
        {eventsInWords(eventTypes)}
      </span>
    ),
  },
  {
    title: "Status",
    text: (endpoint) => `${stateOfEndpoint(endpoint).label} ${endpoint.disabledReason ?? ""}`,
    render: (endpoint) => (
      <span className={classes.status}>
        <EndpointBadge endpoint={endpoint} />
        {!endpoint.enabled && endpoint.disabledReason && (
          <span className={classes.reason}>{endpoint.disabledReason}</span>
        )}
      </span>
    ),
  },
  {
    title: "Last Delivery",
    text: ({ lastStatus }) => (lastStatus ? stateOfDelivery(lastStatus, true).label : "None yet"),
    sortBy: ({ lastDeliveryAt }) => lastDeliveryAt ?? "",
    render: LastDelivery,
  },
];

const icon = { size: 17, stroke: 1.8, "aria-hidden": true } as const;

/** The person's webhook endpoints, with everything that can be done with one. */
export function EndpointsTable() {
  const { data, error, refetch } = useWebhookEndpointsQuery({ fetchPolicy: "cache-and-network" });
  const [asked, setAsked] = useState<AskedOfEndpoint | null>(null);
  const turnOn = useTurnOn();
  const reload = () => void refetch().catch(() => undefined);
  const endpoints = data?.webhookEndpoints;
  const isFull = (endpoints?.length ?? 0) >= MOST_WEBHOOK_ENDPOINTS;

  const add = (
    <Button
      leftSection={<IconPlus size={18} stroke={1.8} aria-hidden="true" />}
      onClick={() => setAsked({ kind: "add" })}
    >
      Add An Endpoint
    </Button>
  );

  const actionsOf = (endpoint: ShownEndpoint): RowAction[] => [
    {
      label: "Deliveries",
      icon: <IconListDetails {...icon} />,
      to: paths.webhookEndpoint.href({ endpointId: endpoint.id }),
    },
    { label: "Edit", icon: <IconPencil {...icon} />, onSelect: () => setAsked({ kind: "edit", endpoint }) },
    { label: "Roll the Secret", icon: <IconKey {...icon} />, onSelect: () => setAsked({ kind: "roll", endpoint }) },
    endpoint.enabled
      ? {
          label: "Turn Off",
          icon: <IconPlayerPause {...icon} />,
          onSelect: () => setAsked({ kind: "turn-off", endpoint }),
        }
      : { label: "Turn On", icon: <IconPlayerPlay {...icon} />, onSelect: () => void turnOn(endpoint).then(reload) },
    {
      label: "Delete",
      icon: <IconTrash {...icon} />,
      danger: true,
      onSelect: () => setAsked({ kind: "delete", endpoint }),
    },
  ];

  return (
    <>
      {endpoints?.length === 0 ? (
        <NoEndpoints>{add}</NoEndpoints>
      ) : (
        <DataTable
          name="Webhook endpoints"
          columns={columns}
          rows={endpoints}
          rowId={({ id }) => id}
          pageSize={10}
          rowLabel={({ url }) => url}
          actions={actionsOf}
          // Not before it is known whether there is room for one more, and where the button will stand.
          toolbar={endpoints && (isFull ? <Full /> : add)}
          emptySentence="No endpoints."
          error={error && !data ? messageOf(error, "Unable to load your webhook endpoints.") : undefined}
          onRetry={reload}
        />
      )}
      <EndpointDialogs asked={asked} onAsk={setAsked} onSettled={reload} />
    </>
  );
}

function Full() {
  return <p className={classes.full}>{MOST_WEBHOOK_ENDPOINTS} endpoints are the most. Delete one to add another.</p>;
}
