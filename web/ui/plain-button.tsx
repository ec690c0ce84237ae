import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import classes from "./plain-button.module.css";

interface Look {
  /** `filled` for the one thing to do next, `default` for the others. */
  variant?: "filled" | "default";
  size?: "md" | "lg";
  children: ReactNode;
}

/** A link that looks like a button: a page of the portal (`to`) or an address elsewhere (`href`). */
export function LinkButton({
  variant = "filled",
  size = "md",
  children,
  ...target
}: Look & ({ to: string } | { href: string })) {
  const look = { className: classes.button, "data-variant": variant, "data-size": size };
  if ("to" in target)
    return (
      <Link {...look} to={target.to}>
        {children}
      </Link>
    );
  return (
    <a {...look} href={target.href}>
      {children}
    </a>
  );
}

/**
 * The button of public and error pages, which do without Mantine's to stay light. Elsewhere use Mantine's `Button`,
 * `BusyButton` or `SubmitButton`.
 */
export function PlainButton(props: Look & { busy?: boolean; onClick: () => void }) {
  const { variant = "filled", size = "md", busy = false, onClick, children } = props;
  return (
    <button
      type="button"
      className={classes.button}
      data-variant={variant}
      data-size={size}
      aria-busy={busy || undefined}
      disabled={busy}
      onClick={onClick}
    >
      {children}
    </button>
  );
}

/** A square button with a picture and a name for screen readers. */
export function IconButton({
  label,
  children,
  className,
  ...button
}: React.ComponentProps<"button"> & { label: string }) {
  return (
    <button
      type="button"
      {...button}
      className={className ? `${classes.icon} ${className}` : classes.icon}
      aria-label={label}
    >
      {children}
    </button>
  );
}
