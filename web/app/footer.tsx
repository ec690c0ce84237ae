import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { Wordmark } from "#web/ui/pictures/logo.tsx";
import { Mailboxes } from "./contact-line.tsx";
import classes from "./footer.module.css";
import { footerColumns, buildNavigation } from "./navigation.ts";
import { useSession } from "#web/platform/session.ts";

const year = new Date().getFullYear();

export function Footer() {
  const { account, signIn } = buildNavigation(useSession());
  const columns = [...footerColumns, { label: "Account", items: [...account, ...signIn] }];
  const { company } = brand;
  return (
    <footer className={classes.footer} data-night>
      <div aria-hidden="true" />
      <div className={classes.inner}>
        <nav className={classes.columns} aria-label="Footer">
          {columns.map(({ label, items }) => (
            <div key={label}>
              <h2>{label}</h2>
              <ul>
                {items.map((item) => (
                  <li key={item.to}>
                    {item.isOutsidePortal ? <a href={item.to}>{item.label}</a> : <Link to={item.to}>{item.label}</Link>}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className={classes.columns}>
          <div>
            <Wordmark name={brand.nameParts} size={32} />
            <p>{brand.tagline}</p>
          </div>
          <div>
            <h2>Contact</h2>
            <Mailboxes labelled />
          </div>
          <div data-printed>
            <h2>Company</h2>
            <address>
              <b>{company.legalName}</b>
              <span>ABN {company.abn}</span>
              <span>ACN {company.acn}</span>
              <span>{company.address}</span>
              <a href={brand.networkUrl} rel="noreferrer">
                {brand.networkLabel}
              </a>
            </address>
          </div>
        </div>
        {/* The page may be built in one year and read in the next. */}
        <p suppressHydrationWarning data-printed>
          © {year} {company.legalName}. Microsoft and Oracle product names belong to their owners.
        </p>
      </div>
    </footer>
  );
}
