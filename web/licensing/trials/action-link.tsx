import { useTrialLink } from "./trial-status.ts";
import { LinkButton } from "#web/ui/button.tsx";

export interface ActionLinkProps {
  link: { readonly label: string; readonly to: string };
  variant?: "filled" | "default";
  size?: "md" | "lg";
}

/** Shows a link from the content as a button. It can lead to a portal page, an anchor on this page or an email address. */
export function ActionLink({ link, variant = "filled", size = "lg" }: ActionLinkProps) {
  const { label, to } = useTrialLink(link);
  return (
    <LinkButton {...(to.startsWith("/") ? { to } : { href: to })} variant={variant} size={size}>
      {label}
    </LinkButton>
  );
}
