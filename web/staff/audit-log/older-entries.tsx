import { Button } from "#web/ui/button.tsx";
import classes from "./audit-log.module.css";

/** The foot of a list that is read part by part: how many entries are shown, and the way to the older ones. */
export function OlderEntries(props: { shown: number; hasMore: boolean; busy: boolean; onOlder: () => void }) {
  const { shown, hasMore, busy, onOlder } = props;
  return (
    <>
      <p className={classes.shown} role="status">
        {shown > 0 && (hasMore ? `The newest ${shown} are shown.` : `That is all: ${inEntries(shown)}.`)}
      </p>
      {hasMore && (
        <Button variant="default" className={classes.older} loading={busy} onClick={onOlder}>
          Show Older
        </Button>
      )}
    </>
  );
}

/** `1 entry`, `12 entries`. */
function inEntries(count: number): string {
  return count === 1 ? "1 entry" : `${count} entries`;
}
