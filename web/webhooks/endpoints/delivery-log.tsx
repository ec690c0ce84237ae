import { Box, Card, Group, NativeSelect, Stack, Text, Title, Divider, UnstyledButton } from "@mantine/core";
import { IconRefresh, IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { formatNumber } from "#schema/numbers.ts";
import { WEBHOOK_LOG_DAYS, webhookEvents } from "#schema/webhooks.ts";
import type { WebhookDeliveriesQuery, WebhookDeliveryStatus } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { Pager } from "#web/ui/table/table-controls.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { DeliveryDetails } from "./delivery-details.tsx";
import {
  DeliveryBadge,
  Timestamp,
  type ShownDelivery,
  statusChoices,
  formatAttemptCount,
  formatNextAttempt,
} from "./endpoint-state.tsx";
import classes from "./webhooks.module.css";
import { toValue } from "#schema/closed-list.ts";

export const DELIVERIES_PER_PAGE = 20;

/** The page and filter of the log. A null status shows all deliveries. */
export interface LogFilter {
  page: number;
  status: WebhookDeliveryStatus | null;
}

interface DeliveryLogProps {
  deliveries: NonNullable<WebhookDeliveriesQuery["webhookEndpoint"]>["deliveries"];
  /** True if another page is loading. The previous one is shown in the meantime. */
  isLoading: boolean;
  error: unknown;
  part: LogFilter;
  onPart: (part: LogFilter) => void;
  openId: string | null;
  onOpen: (id: string | null) => void;
  /** Null while the endpoint is off. */
  onReplay: ((delivery: ShownDelivery) => Promise<void>) | null;
  onReload: () => Promise<void>;
}

/** Log of the deliveries to an endpoint, newest first, with pages and a status filter. */
export function DeliveryLog(props: DeliveryLogProps) {
  const { deliveries, isLoading, error, part, onPart, openId, onOpen, onReplay, onReload } = props;
  const { rows, total } = deliveries;
  const pageCount = Math.max(1, Math.ceil(total / DELIVERIES_PER_PAGE));
  const first = (part.page - 1) * DELIVERIES_PER_PAGE + 1;
  const show = (choice?: (typeof statusChoices)[number]) => onPart({ page: 1, status: choice?.value ?? null });
  return (
    <Box component="section" mt="xl" aria-labelledby="deliveries" aria-busy={isLoading || undefined}>
      <Stack gap="md" opacity={isLoading ? 0.6 : undefined}>
        <Group justify="space-between">
          <div>
            <Title order={2} id="deliveries" fz="1.25rem">
              Deliveries
            </Title>
            <Text size="sm" c="dimmed">
              Deliveries from the last {WEBHOOK_LOG_DAYS} days, newest first.
            </Text>
          </div>
          <Group gap="md">
            <NativeSelect
              label="Status"
              value={part.status ?? ""}
              data={[{ value: "", label: "All" }, ...statusChoices]}
              onChange={({ currentTarget }) => show(statusChoices.find(({ value }) => value === currentTarget.value))}
              styles={{ root: { display: "flex", alignItems: "center", gap: "0.625rem" }, label: { marginBottom: 0 } }}
            />
            <BusyButton
              variant="default"
              leftSection={<IconRefresh size={17} stroke={1.8} aria-hidden="true" />}
              onPress={onReload}
            >
              Refresh
            </BusyButton>
          </Group>
        </Group>
        {error ? (
          <Card>
            <Loaded query={{ error, refetch: onReload }} failure="Unable to load the deliveries." />
          </Card>
        ) : rows.length === 0 ? (
          <Card>
            {part.status !== null ? (
              <EmptyState
                message={`No deliveries have the status “${statusChoices.find(({ value }) => value === part.status)?.label}”.`}
              >
                <BusyButton variant="default" onPress={() => show()}>
                  Show all
                </BusyButton>
              </EmptyState>
            ) : (
              <EmptyState
                message={
                  onReplay === null
                    ? "No deliveries."
                    : "No deliveries yet. Send a test event to check that your endpoint responds."
                }
              />
            )}
          </Card>
        ) : (
          <Card component="ul" padding={0} m={0} aria-labelledby="deliveries">
            {rows.map((delivery, index) => (
              <DeliveryRow
                key={delivery.id}
                hasDivider={index > 0}
                delivery={delivery}
                isOpen={delivery.id === openId}
                onToggle={() => onOpen(delivery.id === openId ? null : delivery.id)}
                onReplay={onReplay && (() => onReplay(delivery))}
              />
            ))}
          </Card>
        )}
        {!error && (rows.length > 0 || part.status !== null) && (
          <Group justify="space-between">
            <Text component="output" size="sm" c="dimmed">
              {rows.length === 0
                ? "0 matches"
                : `${formatNumber(first)}–${formatNumber(first + rows.length - 1)} of ${formatNumber(total)}`}
            </Text>
            {pageCount > 1 && (
              <Pager
                name="deliveries"
                page={part.page}
                pageCount={pageCount}
                onGo={(page) => onPart({ ...part, page })}
              />
            )}
          </Group>
        )}
      </Stack>
    </Box>
  );
}

interface DeliveryRowProps {
  hasDivider: boolean;
  delivery: ShownDelivery;
  isOpen: boolean;
  onToggle: () => void;
  /** Null while the endpoint is off. */
  onReplay: (() => Promise<void>) | null;
}

function DeliveryRow({ hasDivider, delivery, isOpen, onToggle, onReplay }: DeliveryRowProps) {
  const { id, eventType, status, createdAt, nextAttemptAt, attempts } = delivery;
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <Box component="li" display="block">
      {hasDivider && <Divider />}
      <UnstyledButton
        id={`delivery-${id}`}
        display="flex"
        w="100%"
        px="md"
        py="sm"
        className={classes.delivery}
        aria-expanded={isOpen}
        aria-controls={`delivery-${id}-details`}
        onClick={onToggle}
      >
        <Group component="span" flex={1} miw={0} gap="0.25rem 1.25rem">
          <Box component="span" w="9.5rem">
            <DeliveryBadge status={status} wasTried={attempts.length > 0} />
          </Box>{" "}
          <Text span ff="monospace" size="sm" fw={600} flex="1 1 14rem" data-break="anywhere">
            {toValue(webhookEvents, eventType)}
          </Text>{" "}
          <Timestamp at={createdAt} />{" "}
          <Text span size="sm" c="dimmed" flex="0 1 17rem">
            {formatAttemptCount(attempts.length)}
            {nextAttemptAt && attempts.length > 0 && `, next ${formatNextAttempt(delivery)}`}
          </Text>
        </Group>
        <Text span c="dimmed" display="flex" style={{ alignItems: "center" }}>
          <Chevron size={19} stroke={2} aria-hidden="true" />
        </Text>
      </UnstyledButton>
      <div id={`delivery-${id}-details`} hidden={!isOpen}>
        {isOpen && <DeliveryDetails delivery={delivery} onReplay={onReplay} />}
      </div>
    </Box>
  );
}
