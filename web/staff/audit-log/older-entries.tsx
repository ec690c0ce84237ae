import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { notify } from "#web/platform/notifications.ts";

export interface OlderEntriesProps {
  /** Number of entries shown. */
  shown: number;
  hasMore: boolean;
  /** Loads the next page. */
  loadOlder: () => Promise<unknown>;
}

/** Shows the number of loaded entries and a button to load older ones. */
export function OlderEntries({ shown, hasMore, loadOlder }: OlderEntriesProps) {
  const [busy, setBusy] = useState(false);

  async function load() {
    setBusy(true);
    try {
      await loadOlder();
    } catch (failure) {
      notify.failure(failure, "Unable to load older entries.");
    }
    setBusy(false);
  }

  return (
    <>
      <Text role="status" c="dimmed" fz="sm">
        {shown > 0 &&
          (hasMore ? `Showing the newest ${formatEntries(shown)}.` : `End of the list: ${formatEntries(shown)}.`)}
      </Text>
      {hasMore && (
        <Button variant="default" w="fit-content" loading={busy} onClick={() => void load()}>
          Show older entries
        </Button>
      )}
    </>
  );
}

function formatEntries(count: number): string {
  return count === 1 ? "1 entry" : `${formatNumber(count)} entries`;
}
