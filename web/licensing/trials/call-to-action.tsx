import { canStartTrial, isTrialLink, useTrialLink, useTrialStatus } from "./trial-status.ts";
import { Band, Split } from "#web/ui/band.tsx";
import { isPortalPage } from "#web/ui/content-link.tsx";
import layout from "#web/ui/layout.module.css";
import { LinkButton } from "#web/ui/button.tsx";

interface CallToActionProps {
  title: string;
  text: string;
  link: { readonly label: string; readonly to: string };
  /** `filled` for the main purpose of the page, `default` for anything else. */
  variant?: "filled" | "default";
}

/** Call to action at the end of a page. Hidden if it offers a trial to a customer who can't start one. */
export function CallToAction({ title, text, link, variant = "default" }: CallToActionProps) {
  const trialStatus = useTrialStatus();
  if (isTrialLink(link) && !canStartTrial(trialStatus)) return null;
  return (
    <Band id="call" hasOwnTitle tone="sunken">
      <Split columns="1fr auto" align="center">
        <div>
          <h2 id="call-title" style={{ fontSize: "clamp(1.5rem, 1.2rem + 1.2vw, 2rem)" }}>
            {title}
          </h2>
          <p>{text}</p>
        </div>
        <div className={layout.actions}>
          <ActionLink link={link} variant={variant} />
        </div>
      </Split>
    </Band>
  );
}

interface ActionLinkProps {
  link: { readonly label: string; readonly to: string };
  variant?: "filled" | "default";
  size?: "md" | "lg";
}

/** Shows a link from the content as a button. It can lead to a portal page, an anchor on this page or an email address. */
export function ActionLink({ link, variant = "filled", size = "lg" }: ActionLinkProps) {
  const { label, to } = useTrialLink(link);
  return (
    <LinkButton {...(isPortalPage(to) ? { to } : { href: to })} variant={variant} size={size}>
      {label}
    </LinkButton>
  );
}
