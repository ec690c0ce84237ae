import { NavLink, useLocation } from "react-router-dom";
import { DisclosureMenu } from "./disclosure-menu.tsx";
import type { NavigationMenu } from "./navigation.ts";
import classes from "./menu.module.css";

/** A menu of the header with each group's page and subpages. */
export function ServicesMenu({ menu }: { menu: NavigationMenu }) {
  const { pathname } = useLocation();
  const places = menu.groups.flatMap(({ to, items }) => [to, ...items.map((item) => item.to)]);
  const here = `${pathname.replace(/\/+$/, "").toLowerCase()}/`;
  return (
    <DisclosureMenu label={menu.label} isCurrent={places.includes(here)}>
      <ul className={classes.list} data-columns>
        {menu.groups.map((group) => (
          <li key={group.to}>
            <NavLink to={group.to}>{group.label}</NavLink>
            <ul className={classes.list}>
              {group.items.map((item) => (
                <li key={item.to}>
                  <NavLink to={item.to}>{item.label}</NavLink>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </DisclosureMenu>
  );
}
