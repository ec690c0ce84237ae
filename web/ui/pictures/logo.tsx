import classes from "./pictures.module.css";

/** Logo and name, with the first word in bold. Emails and PDFs show the same file, and BRAND_FILE replaces it. */
export function Wordmark({ name, size = 28 }: { name: { first: string; rest: string }; size?: number }) {
  return (
    <span className={classes.wordmark}>
      <img src="/media/logo.png" alt="" width={size} height={size} fetchPriority="low" />
      <span>
        <b style={{ fontWeight: 720 }}>{name.first}</b> {name.rest}
      </span>
    </span>
  );
}
