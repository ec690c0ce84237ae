import classes from "./feature-list.module.css";

export interface FeatureListProps {
  features: readonly { readonly text: string; readonly highlighted: boolean }[];
  notIncluded: readonly string[];
  /** Headings of the three lists. */
  words: { readonly highlighted: string; readonly kept: string; readonly notIncluded: string };
}

/** What a level holds: what is new at it, what it keeps from those below, and what it leaves to those above. */
export function FeatureList({ features, notIncluded, words }: FeatureListProps) {
  const texts = (isNew: boolean) => features.filter(({ highlighted }) => highlighted === isNew).map(({ text }) => text);
  const lists = [
    { kind: "new", title: words.highlighted, items: texts(true) },
    { kind: "kept", title: words.kept, items: texts(false) },
    { kind: "missing", title: words.notIncluded, items: notIncluded },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className={classes.lists} data-count={lists.length}>
      {lists.map(({ kind, title, items }) => (
        <div key={kind} data-kind={kind}>
          <h3>{title}</h3>
          <ul>
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
