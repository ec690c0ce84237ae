import { Button } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import type { Meanwhile } from "./use-merged-edits.ts";

/** Says who saved the same thing meanwhile, and what became of it in the form. */
export default function MeanwhileNote(props: {
  /** What the form is about. */
  noun: string;
  meanwhile: Meanwhile;
  onSettle: (whose: "mine" | "theirs") => void;
}) {
  const { noun, meanwhile, onSettle } = props;
  const { by, taken, contested } = meanwhile;
  const open = Object.values(contested).map(({ label }) => label);
  return (
    <div role="alert">
      <Callout tone="notice">
        <p>
          <b>{by}</b> saved this {noun} while you were editing. Nothing of yours is lost, and nothing of yours is saved
          yet.
        </p>
        {taken.length > 0 && <p>Taken over from them, as you had not changed it: {taken.join(", ")}.</p>}
        {open.length > 0 ? (
          <>
            <p>You both changed: {open.join(", ")}. Choose below, field by field, or all at once, then submit again.</p>
            <div>
              <Button size="sm" variant="default" onClick={() => onSettle("theirs")}>
                Take all of theirs
              </Button>
              <Button size="sm" variant="default" onClick={() => onSettle("mine")}>
                Keep all of mine
              </Button>
            </div>
          </>
        ) : (
          <p>Look it over and submit again.</p>
        )}
      </Callout>
    </div>
  );
}
