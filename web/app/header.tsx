import { IconMenu2 } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Link, NavLink, useLocation } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { Wordmark } from "#web/ui/pictures/logo.tsx";
import { IconButton } from "#web/ui/button.tsx";
import { ContactLine } from "./contact-line.tsx";
import classes from "./header.module.css";
import menus from "./menu.module.css";
import { buildNavigation, type NavigationMenu } from "./navigation.ts";
import { paths, toPagePath } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { AccountMenu, SchemeToggle } from "./account-menu.tsx";
import { DisclosureMenu, MenuList } from "./disclosure-menu.tsx";

const MobileMenu = lazyPart(() => import("./mobile-menu.tsx"), "notification", null);

/** Header of public pages. */
export function Header() {
  const session = useSession();
  const navigation = buildNavigation(session);
  const drawer = useRef<HTMLDialogElement>(null);
  const [isMenuRequested, setMenuRequested] = useState(false);
  return (
    <header style={{ display: "contents" }}>
      <div className={classes.contact} data-night>
        <div className={classes.inner} style={{ minHeight: "2.25rem" }}>
          <ContactLine />
        </div>
      </div>
      <div className={classes.bar}>
        <div className={classes.inner}>
          <Link to={paths.home.href()} aria-label={`${brand.name}, home`}>
            <Wordmark name={brand.nameParts} />
          </Link>
          <nav className={classes.nav} aria-label="Main">
            {navigation.main.map((item) =>
              "groups" in item ? (
                <div key={item.label} data-far data-needs-scripts>
                  <ServicesMenu menu={item} />
                </div>
              ) : (
                <NavLink key={item.to} to={item.to} className={menus.link} data-far={!item.staysInHeader || undefined}>
                  {item.label}
                </NavLink>
              ),
            )}
            {navigation.signIn.map((item, index) => (
              <NavLink
                key={item.to}
                to={item.to}
                className={index === 0 ? menus.link : `${menus.link} ${classes.cta}`}
                data-entrance
              >
                {item.label}
              </NavLink>
            ))}
            {session && <AccountMenu session={session} />}
          </nav>
          <div className={classes.tools} data-needs-scripts>
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
        <MobileMenu dialog={drawer} navigation={navigation} onMissing={() => setMenuRequested(false)} />
      )}
    </header>
  );
}

/** A menu of the header with each group's page and subpages. */
function ServicesMenu({ menu }: { menu: NavigationMenu }) {
  const { pathname } = useLocation();
  const places = menu.groups.flatMap(({ to, items }) => [to, ...items.map((item) => item.to)]);
  return (
    <DisclosureMenu label={menu.label} isCurrent={places.includes(toPagePath(pathname))}>
      <MenuList items={menu.groups} hasColumns />
    </DisclosureMenu>
  );
}
