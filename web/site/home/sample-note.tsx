import { Badge } from "#web/ui/badge.tsx";
import classes from "./sample-note.module.css";

/** Says in words that what stands here is invented, until the brand's own people and customers are in people.md. */
export function SampleNote({ shown, text }: { shown: readonly { readonly sample: boolean }[]; text: string }) {
  if (!shown.some(({ sample }) => sample)) return null;
  return (
    <p className={classes.note}>
      <Badge tone="notice">Sample content</Badge> {text}
    </p>
  );
}
