import { SampleBadge } from "#web/public-ui/sample-badge.tsx";
import classes from "./sample-note.module.css";

/** Notice that the content is invented. Disappears when people.md contains no samples. */
export function SampleNote({ shown, text }: { shown: readonly { readonly sample: boolean }[]; text: string }) {
  if (!shown.some(({ sample }) => sample)) return null;
  return (
    <p className={classes.note}>
      <SampleBadge>Sample content</SampleBadge> {text}
    </p>
  );
}
