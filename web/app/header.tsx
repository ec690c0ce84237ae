import { IconMenu2, IconMoon, IconSearch, IconSun } from "@tabler/icons-react";
import { Suspense, useRef, useState } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { Wordmark } from "#web/ui/logo.tsx";
import { IconButton } from "#web/ui/button.tsx";
import { chooseColourScheme, useColourScheme } from "#web/ui/colour-scheme.ts";
import { ContactLine } from "./contact-line.tsx";
import classes from "./header.module.css";
import { buildNavigation, type NavigationItem } from "./navigation.ts";
import { paths } from "#web/platform/paths.ts";
import { ServicesMenu } from "./services-menu.tsx";
import { type Session, useSession } from "#web/platform/session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { DisclosureMenu } from "#web/ui/disclosure-menu.tsx";

const MobileMenu = lazyPart(() => import("./mobile-menu.tsx"), "notification");
// Only loaded for admins.
const HeaderSearch = lazyPart(() => import("#web/staff/search/header-search.tsx"), "notification");

export function Header() {
  const session = useSession();
  const navigation = buildNavigation(session);
  const drawer = useRef<HTMLDialogElement>(null);
  const [isMenuRequested, setMenuRequested] = useState(false);
  // For staff, the search takes the space and the public pages move into the drawer.
  const isStaff = session?.claims.role === "admin";
  return (
    <header className={classes.header} data-staff={isStaff || undefined}>
      <div className={classes.contact}>
        <div className={classes.inner}>
          <ContactLine />
        </div>
      </div>
      <div className={classes.bar}>
        <div className={classes.inner}>
          <Link to={paths.home.href()} className={classes.home} aria-label={`${brand.name}, home`}>
            <Wordmark name={brand.name} />
          </Link>
          {isStaff && <AdminSearch />}
          <nav className={classes.nav} aria-label="Main">
            {!isStaff &&
              navigation.main.map((item) =>
                "groups" in item ? (
                  <div key={item.label} data-far>
                    <ServicesMenu menu={item} />
                  </div>
                ) : (
                  <NavLink
                    key={item.to}
                    to={item.to}
                    className={classes.link}
                    data-far={!item.staysInHeader || undefined}
                  >
                    {item.label}
                  </NavLink>
                ),
              )}
            {navigation.signIn.map((item, index) => (
              <NavLink key={item.to} to={item.to} className={index === 0 ? classes.link : classes.cta} data-entrance>
                {item.label}
              </NavLink>
            ))}
            {session && <AccountMenu session={session} items={navigation.account} />}
          </nav>
          <div className={classes.tools}>
            <SchemeToggle />
            <IconButton
              label="Open menu"
              className={classes.burger}
              aria-haspopup="dialog"
              onClick={() => (drawer.current ? drawer.current.showModal() : setMenuRequested(true))}
            >
              <IconMenu2 size={24} stroke={1.8} aria-hidden="true" />
            </IconButton>
          </div>
        </div>
      </div>
      {isMenuRequested && (
        <Suspense fallback={null}>
          <MobileMenu dialog={drawer} navigation={navigation} />
        </Suspense>
      )}
    </header>
  );
}

/** The search of everything. The admin landing page has its own search, and narrow screens link there. */
function AdminSearch() {
  const { pathname } = useLocation();
  const landing = paths.admin.href();
  if (`${pathname}/`.replace(/\/+$/, "/").toLowerCase() === landing) return null;
  return (
    <>
      <div className={classes.search}>
        <Suspense fallback={null}>
          <HeaderSearch />
        </Suspense>
      </div>
      <Link className={classes.find} to={landing} state={{ find: true }} aria-label="Find anyone or anything">
        <IconSearch size={21} stroke={1.8} aria-hidden="true" />
      </Link>
    </>
  );
}

function SchemeToggle() {
  const scheme = useColourScheme();
  const other = scheme === "dark" ? "light" : "dark";
  const Icon = other === "dark" ? IconMoon : IconSun;
  return (
    <IconButton label={`Use ${other} colours`} onClick={() => chooseColourScheme(other)}>
      <Icon size={21} stroke={1.8} aria-hidden="true" />
    </IconButton>
  );
}

function AccountMenu({ session, items }: { session: Session; items: readonly NavigationItem[] }) {
  const { givenName, familyName, email } = session.claims;
  const initials = `${givenName.charAt(0)}${familyName.charAt(0)}`.toUpperCase() || "•";
  return (
    <DisclosureMenu
      label="My Account"
      look="pill"
      align="end"
      mark={
        <span className={classes.initials} aria-hidden="true">
          {initials}
        </span>
      }
    >
      <p className={classes.who}>
        <b>
          {givenName} {familyName}
        </b>
        <span>{email}</span>
      </p>
      <ul className={classes.list}>
        {items.map((item) => (
          <li key={item.to}>
            <NavLink to={item.to}>{item.label}</NavLink>
          </li>
        ))}
      </ul>
    </DisclosureMenu>
  );
}
