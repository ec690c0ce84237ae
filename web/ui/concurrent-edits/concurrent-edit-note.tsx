import { Group } from "@mantine/core";
import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import type { ConcurrentEdits } from "./use-merged-edits.ts";

/** Says who saved the same record in the meantime, and how the form was merged. */
export default function ConcurrentEditNote(props: {
  /** Name of the record, such as `user`. */
  noun: string;
  edits: ConcurrentEdits;
  onSettle: (whose: "mine" | "theirs") => void;
}) {
  const { noun, edits, onSettle } = props;
  const { by, taken, contested } = edits;
  const open = Object.values(contested).map(({ label }) => label);
  return (
    <div role="alert">
      <Callout tone="notice">
        <p>
          <b>{by}</b> saved this {noun} while you were editing. Your changes are kept but not saved yet.
        </p>
        {taken.length > 0 && <p>Updated with their changes: {taken.join(", ")}.</p>}
        {open.length > 0 ? (
          <>
            <p>You both changed: {open.join(", ")}. Choose which values to keep, then submit again.</p>
            <Group gap="xs">
              <Button size="sm" variant="default" onClick={() => onSettle("theirs")}>
                Take all theirs
              </Button>
              <Button size="sm" variant="default" onClick={() => onSettle("mine")}>
                Keep all mine
              </Button>
            </Group>
          </>
        ) : (
          <p>Check the form and submit it again.</p>
        )}
      </Callout>
    </div>
  );
}
