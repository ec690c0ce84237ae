import { Tag } from "#web/ui/tag.tsx";
import layout from "#web/ui/layout.module.css";

/** Notice that the content is invented. Disappears when people.md contains no samples. */
export function SampleNote({ shown, text }: { shown: readonly { readonly sample: boolean }[]; text: string }) {
  if (!shown.some(({ sample }) => sample)) return null;
  return (
    <p className={layout.note}>
      <Tag>Sample content</Tag> {text}
    </p>
  );
}
