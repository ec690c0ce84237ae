import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { Wordmark } from "#web/ui/pictures/logo.tsx";
import { Mailboxes } from "./contact-line.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./footer.module.css";
import { footerGroups, buildNavigation } from "./navigation.ts";
import { useSession } from "#web/platform/session.ts";

const year = new Date().getFullYear();

export function Footer() {
  const { account, signIn } = buildNavigation(useSession());
  const [product, services, support, ...others] = footerGroups;
  const groups = [product, services, support, { label: "Account", items: [...account, ...signIn] }, ...others];
  const { company } = brand;
  return (
    <footer className={classes.footer} data-night>
      <div aria-hidden="true" />
      <div className={classes.inner}>
        <div className={classes.vendor}>
          <Wordmark name={brand.nameParts} size={32} />
          <p className={layout.muted}>{brand.tagline}</p>
          <Fold label="Email" />
          <Mailboxes labelled />
        </div>
        <nav className={classes.groups} aria-label="Footer">
          {groups.map(
            (group) =>
              group && (
                <div key={group.label}>
                  <h2 style={{ marginBottom: "0.25rem" }}>{group.label}</h2>
                  <Fold label={group.label} />
                  <ul>
                    {group.items.map((item) => (
                      <li key={item.to}>
                        {item.isOutsidePortal ? (
                          <a href={item.to}>{item.label}</a>
                        ) : (
                          <Link to={item.to}>{item.label}</Link>
                        )}
                      </li>
                    ))}
                  </ul>
                </div>
              ),
          )}
        </nav>
        <address data-printed>
          <b>{company.legalName}</b>
          <span>ABN {company.abn}</span>
          <span>ACN {company.acn}</span>
          <span>{company.address}</span>
          <a href={brand.networkUrl} rel="noreferrer">
            {brand.networkLabel}
          </a>
        </address>
        {/* The page may be built in one year and read in the next. */}
        <p suppressHydrationWarning data-printed>
          © {year} {company.legalName}. Microsoft and Oracle product names belong to their owners.
        </p>
      </div>
    </footer>
  );
}

/** Shows and hides the list after it on a phone. Contains nothing, so that wide screens show the list in every state. */
function Fold({ label }: { label: string }) {
  return (
    <details className={classes.fold}>
      <summary>{label}</summary>
    </details>
  );
}
