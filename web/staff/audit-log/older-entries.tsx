import { Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { notify } from "#web/platform/notifications.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import layout from "#web/ui/layout.module.css";

export interface OlderEntriesProps {
  /** Number of entries shown. */
  shown: number;
  hasMore: boolean;
  /** Loads the next page. */
  loadOlder: () => Promise<unknown>;
}

/** Shows the number of loaded entries and a button to load older ones. */
export function OlderEntries({ shown, hasMore, loadOlder }: OlderEntriesProps) {
  const status = useRef<HTMLParagraphElement>(null);
  const wasPressed = useRef(false);
  useEffect(() => {
    // The button, which had the focus, is gone.
    if (!hasMore && wasPressed.current) status.current?.focus({ preventScroll: true });
    wasPressed.current = false;
  }, [hasMore, shown]);

  async function load() {
    wasPressed.current = true;
    try {
      await loadOlder();
    } catch (failure) {
      wasPressed.current = false;
      notify.failure(failure, "Unable to load older entries.");
    }
  }

  return (
    <>
      {/* If there are none, the page says so on the screen. */}
      <Text
        ref={status}
        role="status"
        tabIndex={-1}
        c="dimmed"
        fz="sm"
        className={shown === 0 ? layout.hidden : undefined}
      >
        {hasMore ? `Showing the newest ${formatEntries(shown)}.` : `End of the list: ${formatEntries(shown)}.`}
      </Text>
      {hasMore && (
        <div>
          <BusyButton variant="default" onPress={load}>
            Show older entries
          </BusyButton>
        </div>
      )}
    </>
  );
}

function formatEntries(count: number): string {
  return count === 1 ? "1 entry" : `${formatNumber(count)} entries`;
}
