import { IconChevronDown } from "@tabler/icons-react";
import { formatDateTimeWithSeconds } from "#schema/dates.ts";
import { DeliveryDetails } from "./delivery-details.tsx";
import classes from "./delivery-row.module.css";
import { DeliveryBadge } from "./endpoint-state.tsx";
import { formatAttemptCount, formatNextAttempt, type ShownDelivery } from "./webhook-labels.ts";

export interface DeliveryRowProps {
  delivery: ShownDelivery;
  isOpen: boolean;
  onToggle: () => void;
  /** Null while the endpoint is off. */
  onReplay: (() => Promise<void>) | null;
}

/** A delivery in the log, which expands to its details. */
export function DeliveryRow({ delivery, isOpen, onToggle, onReplay }: DeliveryRowProps) {
  const { id, eventType, status, createdAt, nextAttemptAt, attempts } = delivery;
  return (
    <li className={classes.row} data-open={isOpen || undefined}>
      <button
        id={`delivery-${id}`}
        type="button"
        className={classes.button}
        aria-expanded={isOpen}
        aria-controls={`delivery-${id}-details`}
        onClick={onToggle}
      >
        <span className={classes.badge}>
          <DeliveryBadge status={status} wasTried={attempts.length > 0} />
        </span>{" "}
        <span className={classes.type}>{eventType}</span>{" "}
        <span className={classes.when}>
          <time dateTime={createdAt}>{formatDateTimeWithSeconds(createdAt)}</time>
        </span>{" "}
        <span className={classes.tried}>
          {formatAttemptCount(attempts.length)}
          {nextAttemptAt && attempts.length > 0 && <span>, next {formatNextAttempt(delivery)}</span>}
        </span>
        <IconChevronDown className={classes.chevron} size={19} stroke={2} aria-hidden="true" />
      </button>
      <div id={`delivery-${id}-details`} hidden={!isOpen}>
        {isOpen && <DeliveryDetails delivery={delivery} onReplay={onReplay} />}
      </div>
    </li>
  );
}
