import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import classes from "./button.module.css";

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
}: Look & ({ to: string } | { href: string; download?: boolean })) {
  const look = { className: classes.button, "data-variant": variant, "data-size": size };
  if ("to" in target)
    return (
      <Link {...look} to={target.to}>
        {children}
      </Link>
    );
  return (
    <a {...look} href={target.href} download={target.download}>
      {children}
    </a>
  );
}

/** What a button may be told; everything else is the `button` element's own. */
export interface ButtonProps extends Omit<React.ComponentProps<"button">, "color"> {
  /** `filled` for the one thing to do next, `default` for the others, `light` and `subtle` beside those. */
  variant?: "filled" | "default" | "light" | "subtle" | undefined;
  size?: "xs" | "sm" | "md" | "lg" | undefined;
  /** For what cannot be undone. */
  color?: "red" | undefined;
  /** Its work is under way: it shows that and can't be pressed. */
  loading?: boolean | undefined;
  leftSection?: ReactNode;
}

/** The one button of the portal; `BusyButton` and `SubmitButton` know when their work is under way. */
export function Button({
  variant = "filled",
  size = "md",
  color,
  loading = false,
  leftSection,
  className,
  disabled,
  children,
  ...button
}: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className={className ? `${classes.button} ${className}` : classes.button}
      data-variant={variant}
      data-size={size}
      data-tone={color === "red" ? "critical" : undefined}
      data-busy={loading || undefined}
      aria-busy={loading || undefined}
      disabled={disabled || loading}
    >
      {leftSection}
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
