import layout from "#web/ui/layout.module.css";
import classes from "./feature-list.module.css";

export interface FeatureListProps {
  features: readonly {
    readonly text: string;
    readonly highlighted: boolean;
    readonly detail?: string | undefined;
  }[];
  notIncluded: readonly string[];
  /** Headings of the lists. */
  words: {
    /** For the lowest level, whose features are all new. */
    readonly base: string;
    readonly highlighted: string;
    readonly kept: string;
    readonly notIncluded: string;
  };
}

/** Lists a level's new features, the features it keeps from lower levels, and the features it doesn't include. */
export function FeatureList({ features, notIncluded, words }: FeatureListProps) {
  const missing = notIncluded.map((text) => ({ text, detail: undefined }));
  const kept = features.filter(({ highlighted }) => !highlighted);
  const lists = [
    {
      kind: "new",
      title: kept.length > 0 ? words.highlighted : words.base,
      items: features.filter(({ highlighted }) => highlighted),
    },
    { kind: "kept", title: words.kept, items: kept },
    { kind: "missing", title: words.notIncluded, items: missing },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className={`${layout.columns} ${classes.lists}`}>
      {lists.map(({ kind, title, items }) => (
        <div key={kind} data-kind={kind} data-long={items.length > 8 || undefined}>
          <h3>{title}</h3>
          <ul className={layout.bars}>
            {items.map(({ text, detail }) => (
              <li key={text}>
                <span>{text}</span>
                {detail && <p>{detail}</p>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
