import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import classes from "./button.module.css";

interface Look {
  /** `filled` for the main action, `default` for others. */
  variant?: "filled" | "default";
  size?: "md" | "lg";
  children: ReactNode;
}

/** A link that looks like a button, to a page of the portal (`to`) or to another address (`href`). */
export function LinkButton(props: Look & ({ to: string } | { href: string; download?: boolean })) {
  const { variant = "filled", size = "md", children, ...target } = props;
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

export interface ButtonProps extends Omit<React.ComponentProps<"button">, "color"> {
  /** `filled` for the main action, `default` for others, `light` and `subtle` for minor ones. */
  variant?: "filled" | "default" | "light" | "subtle" | undefined;
  size?: "xs" | "sm" | "md" | "lg" | undefined;
  /** For actions that can't be undone. */
  color?: "red" | undefined;
  /** Shows that the action is running and ignores clicks. The button keeps the focus, which a disabled one would lose. */
  loading?: boolean | undefined;
  leftSection?: ReactNode;
}

export function Button({
  variant = "filled",
  size = "md",
  color,
  loading = false,
  leftSection,
  className,
  children,
  ...button
}: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      {...(loading ? { onClick: ignoreClick } : {})}
      className={className ? `${classes.button} ${className}` : classes.button}
      data-variant={variant}
      data-size={size}
      data-tone={color === "red" ? "critical" : undefined}
      data-busy={loading || undefined}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
    >
      {leftSection}
      {children}
    </button>
  );
}

/** Also keeps the button from submitting a form. */
function ignoreClick(event: React.MouseEvent): void {
  event.preventDefault();
}

/** A square button with an icon and an accessible name. */
export function IconButton(props: React.ComponentProps<"button"> & { label: string }) {
  const { label, children, className, ...button } = props;
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
