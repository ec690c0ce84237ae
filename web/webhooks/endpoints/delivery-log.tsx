import { IconRefresh, IconSelector } from "@tabler/icons-react";
import { useId } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { WEBHOOK_LOG_DAYS } from "#schema/webhooks.ts";
import type { WebhookDeliveriesQuery } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";
import { Pager } from "#web/ui/table/pager.tsx";
import classes from "./delivery-log.module.css";
import { DeliveryRow } from "./delivery-row.tsx";
import { type ShownDelivery, statusChoices } from "./webhook-labels.ts";

/** The page and filter of the log. A null status shows all deliveries. */
export interface LogFilter {
  page: number;
  status: string | null;
}

export interface DeliveryLogProps {
  deliveries: NonNullable<WebhookDeliveriesQuery["webhookEndpoint"]>["deliveries"];
  /** Whether another page is loading. The previous one is shown in the meantime. */
  isLoading: boolean;
  error: string | undefined;
  part: LogFilter;
  onPart: (part: LogFilter) => void;
  /** Id of the expanded delivery. */
  openId: string | null;
  onOpen: (id: string | null) => void;
  /** Null while the endpoint is off. */
  onReplay: ((delivery: ShownDelivery) => Promise<void>) | null;
  onReload: () => Promise<void>;
}

/** Log of the deliveries to an endpoint, newest first, with pages and a status filter. */
export function DeliveryLog(props: DeliveryLogProps) {
  const { deliveries, isLoading, error, part, onPart, openId, onOpen, onReplay, onReload } = props;
  const { rows, total, pageSize } = deliveries;
  const pageCount = Math.max(1, Math.ceil(total / pageSize));
  const first = (deliveries.page - 1) * pageSize + 1;
  return (
    <section className={classes.log} aria-labelledby="deliveries" aria-busy={isLoading || undefined}>
      <div className={classes.head}>
        <div>
          <h2 id="deliveries">Deliveries</h2>
          <p>Deliveries from the last {WEBHOOK_LOG_DAYS} days, newest first.</p>
        </div>
        <div className={classes.tools}>
          <StatusFilter status={part.status} onChange={(status) => onPart({ page: 1, status })} />
          <BusyButton
            variant="default"
            leftSection={<IconRefresh size={17} stroke={1.8} aria-hidden="true" />}
            onPress={onReload}
          >
            Refresh
          </BusyButton>
        </div>
      </div>
      {error !== undefined ? (
        <div className={classes.frame}>
          <ErrorState message={error} onRetry={() => void onReload()} />
        </div>
      ) : rows.length === 0 ? (
        <div className={classes.frame}>
          <EmptyLog
            status={part.status}
            isOff={onReplay === null}
            onShowAll={() => onPart({ page: 1, status: null })}
          />
        </div>
      ) : (
        <>
          <ul className={classes.frame} aria-labelledby="deliveries">
            {rows.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                isOpen={delivery.id === openId}
                onToggle={() => onOpen(delivery.id === openId ? null : delivery.id)}
                onReplay={onReplay && (() => onReplay(delivery))}
              />
            ))}
          </ul>
          <div className={classes.foot}>
            <output>
              {first}–{first + rows.length - 1} of {formatNumber(total)}
            </output>
            {pageCount > 1 && (
              <Pager
                name="deliveries"
                page={part.page}
                pageCount={pageCount}
                onGo={(page) => onPart({ ...part, page })}
              />
            )}
          </div>
        </>
      )}
    </section>
  );
}

function StatusFilter({ status, onChange }: { status: string | null; onChange: (status: string | null) => void }) {
  const id = useId();
  return (
    <div className={classes.filter}>
      <label htmlFor={id}>Status</label>
      <div className={classes.choice}>
        <select id={id} value={status ?? ""} onChange={({ currentTarget }) => onChange(currentTarget.value || null)}>
          <option value="">All</option>
          {statusChoices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <IconSelector size={18} stroke={1.8} aria-hidden="true" />
      </div>
    </div>
  );
}

function EmptyLog({ status, isOff, onShowAll }: { status: string | null; isOff: boolean; onShowAll: () => void }) {
  if (status === null)
    return (
      <EmptyState
        message={
          isOff ? "No deliveries." : "No deliveries yet. Send a test event to check that your endpoint responds."
        }
      />
    );
  return (
    <EmptyState
      message={`No deliveries have the status “${statusChoices.find(({ value }) => value === status)?.label}”.`}
    >
      <Button variant="default" onClick={onShowAll}>
        Show all
      </Button>
    </EmptyState>
  );
}
