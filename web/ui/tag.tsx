import classes from "./tag.module.css";

/** A short label, such as `Flagship`. Doesn't use Mantine's `Badge`, which would load more code on public pages. */
export function Tag({ isBrand = false, children }: { isBrand?: boolean; children: string }) {
  return (
    <span className={classes.tag} data-break="never" data-brand={isBrand || undefined}>
      {children}
    </span>
  );
}
