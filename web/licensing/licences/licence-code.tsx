import classes from "./licence-code.module.css";

/** Message after a licence code was copied. */
export const LICENCE_CODE_COPIED = "Licence code has been copied to clipboard.";

/** A licence code, set so that its groups can be read out and typed; where it is narrow, half a line each. */
export function LicenceCode({ code }: { code: string }) {
  const groups = code.split("-");
  const half = Math.ceil(groups.length / 2);
  const [first, second] = [groups.slice(0, half).join("-"), groups.slice(half).join("-")];
  return (
    <code className={classes.code}>
      <span>{second ? `${first}-` : first}</span>
      {second && <span>{second}</span>}
    </code>
  );
}
