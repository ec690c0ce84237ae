import { Button, Text } from "@mantine/core";

/** Shows the number of loaded entries and a button to load older ones. */
export function OlderEntries(props: { shown: number; hasMore: boolean; busy: boolean; onOlder: () => void }) {
  const { shown, hasMore, busy, onOlder } = props;
  return (
    <>
      <Text role="status" c="dimmed" fz="sm">
        {shown > 0 &&
          (hasMore ? `Showing the newest ${formatEntries(shown)}.` : `End of the list: ${formatEntries(shown)}.`)}
      </Text>
      {hasMore && (
        <Button variant="default" w="fit-content" loading={busy} onClick={onOlder}>
          Show older entries
        </Button>
      )}
    </>
  );
}

function formatEntries(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}
