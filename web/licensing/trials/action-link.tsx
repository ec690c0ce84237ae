import { NEEDS_ACCOUNT } from "#web/platform/landing.ts";
import { isTrialLink, useTrialLink } from "./trial-status.ts";
import { LinkButton } from "#web/ui/button.tsx";

export interface ActionLinkProps {
  link: { readonly label: string; readonly to: string };
  variant?: "filled" | "default";
  size?: "md" | "lg";
}

/** Shows a link from the content as a button. It can lead to a portal page, an anchor on this page or an email address. */
export function ActionLink({ link, variant = "filled", size = "lg" }: ActionLinkProps) {
  const { label, to } = useTrialLink(link);
  const state = isTrialLink({ label, to }) ? NEEDS_ACCOUNT : undefined;
  return (
    <LinkButton {...(to.startsWith("/") ? { to, state } : { href: to })} variant={variant} size={size}>
      {label}
    </LinkButton>
  );
}
