import { Button } from "#web/ui/button.tsx";
import classes from "./audit-log.module.css";

/** Shows the number of loaded entries and a button to load older ones. */
export function OlderEntries(props: { shown: number; hasMore: boolean; busy: boolean; onOlder: () => void }) {
  const { shown, hasMore, busy, onOlder } = props;
  return (
    <>
      <p className={classes.shown} role="status">
        {shown > 0 &&
          (hasMore ? `Showing the newest ${formatEntries(shown)}.` : `End of the list: ${formatEntries(shown)}.`)}
      </p>
      {hasMore && (
        <Button variant="default" className={classes.older} loading={busy} onClick={onOlder}>
          Show older entries
        </Button>
      )}
    </>
  );
}

function formatEntries(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}
