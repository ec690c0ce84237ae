import { Box, Divider, Group, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { DeliveryDetails } from "./delivery-details.tsx";
import { DeliveryBadge, Timestamp } from "./endpoint-state.tsx";
import { formatAttemptCount, formatNextAttempt, type ShownDelivery } from "./webhook-labels.ts";
import classes from "./webhooks.module.css";
import { toValue } from "#schema/closed-list.ts";
import { webhookEvents } from "#schema/webhooks.ts";

export interface DeliveryRowProps {
  hasDivider: boolean;
  delivery: ShownDelivery;
  isOpen: boolean;
  onToggle: () => void;
  /** Null while the endpoint is off. */
  onReplay: (() => Promise<void>) | null;
}

/** A delivery in the log, which expands to its details. */
export function DeliveryRow({ hasDivider, delivery, isOpen, onToggle, onReplay }: DeliveryRowProps) {
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
          <Text span ff="monospace" size="sm" fw={600} flex="1 1 14rem" style={{ overflowWrap: "anywhere" }}>
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
