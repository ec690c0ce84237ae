import { Anchor, AppShell, Box, Burger, Drawer, Group, NavLink, ScrollArea } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect } from "react";
import { Link, matchPath, useLocation } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { paths, type AppPath } from "#web/platform/paths.ts";
import { type Session, useSession, type Role } from "#web/platform/session.ts";
import { offersRole } from "#web/platform/staff-role.tsx";
import { DialogHost } from "#web/ui/dialogs.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Wordmark } from "#web/ui/pictures/logo.tsx";
import { pageIcons } from "#web/generated/page-icons.ts";
import { PortalTheme } from "#web/ui/portal-theme.tsx";
import { AccountMenu, SchemeToggle } from "#web/app/account-menu.tsx";
import { ViewBanner } from "#web/app/view-banner.tsx";
import classes from "./portal-shell.module.css";
import "./mantine-styles.ts";
import { SignInAgain, StepUpHost } from "./session-dialogs.tsx";
import { getReaderTimeZone } from "#schema/dates.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { browserStorage } from "#web/platform/storage.ts";
import operation from "operation:StoreTimeZone";
import { pages } from "#web/app/pages.tsx";
import { canOpen } from "#web/app/page-access.ts";

/** Key in local storage of the user and the time zone that were sent last. A sign-out removes it. */
const KEY = "xer-portal.time-zone";

/** Sends the browser's time zone, in which the user gets emails, once after each sign-in and again when it changes. */
async function storeTimeZone({ accessToken, claims, isView, isEnded }: Session): Promise<void> {
  const timeZone = getReaderTimeZone();
  const sent = `${claims.id} ${timeZone}`;
  if (isView || isEnded || browserStorage.get(KEY) === sent) return;
  try {
    await postGraphql(operation, { input: { timeZone } }, accessToken);
    browserStorage.set(KEY, sent);
  } catch {
    // The next page sends it again.
  }
}

// Only loaded for admins.
const HeaderSearch = lazyPart(() => import("#web/staff/search/header-search.tsx"), "notification", null);

const ShortcutsSheet = lazyPart(() => import("./shortcuts-sheet.tsx"), "nothing", null);

/** Frame of every page for signed-in users: header, side navigation, page and a footer of one line. */
export default function PortalShell({ children }: { children: ReactNode }) {
  const session = useSession();
  return <PortalTheme>{session ? <Shell session={session}>{children}</Shell> : children}</PortalTheme>;
}

interface ShellProps {
  session: Session;
  /** True for the picture of the shell that is served as HTML (decision 0243). */
  isPrerendered?: boolean;
  children: ReactNode;
}

export function Shell({ session, isPrerendered = false, children }: ShellProps) {
  const isAdmin = session.claims.role === "admin";
  const name = isAdmin ? "Admin" : "Account";
  const [isMenuOpen, menu] = useDisclosure(false);
  const { key, pathname } = useLocation();
  // The admin home page has its own search.
  const hasSearch = isAdmin && !isPrerendered && !matchPath(paths.admin.pattern, pathname);
  const { close } = menu;
  useEffect(() => close(), [close, key]);
  useEffect(() => void storeTimeZone(session), [session]);
  const bannerRem = session.isView ? 3.5 : 0;
  return (
    <AppShell
      header={{ height: `${3.75 + bannerRem}rem` }}
      navbar={{ width: "14.5rem", breakpoint: "md", collapsed: { mobile: true } }}
      transitionDuration={0}
      data-viewing={session.isView}
    >
      <AppShell.Header bg="var(--xp-surface)">
        <ViewBanner />
        <Group className={classes.bar} h="3.75rem" px="md" gap="sm" wrap="nowrap">
          <Burger hiddenFrom="md" size="sm" opened={isMenuOpen} onClick={menu.open} aria-label="Menu" />
          <Anchor
            component={Link}
            to={paths.home.href()}
            c="inherit"
            underline="never"
            display="flex"
            aria-label={`${brand.name}, home`}
          >
            <Wordmark name={brand.nameParts} />
          </Anchor>
          <Box className={classes.search} flex={1} miw={0}>
            {hasSearch && <HeaderSearch />}
          </Box>
          <SchemeToggle />
          <AccountMenu session={session} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={name} visibleFrom="md" p="sm" bg="var(--xp-surface)">
        <ScrollArea type="auto">
          <Links session={session} />
        </ScrollArea>
      </AppShell.Navbar>
      <Drawer
        opened={isMenuOpen}
        onClose={close}
        title="Menu"
        size="17rem"
        closeButtonProps={{ "aria-label": "Close menu" }}
      >
        <nav aria-label={name}>
          <Links session={session} />
        </nav>
      </Drawer>
      {/* What opens over the page. */}
      {!isPrerendered && (
        <>
          {isAdmin && <ShortcutsSheet />}
          <StepUpHost />
          <DialogHost />
          <SignInAgain />
        </>
      )}
      <div className={classes.body} data-wide={isAdmin || undefined}>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        <PortalFooter />
      </div>
    </AppShell>
  );
}

function Links({ session }: { session: Session }) {
  const { pathname } = useLocation();
  const links = getPortalLinks(session.claims.role).filter(({ roles }) => offersRole(roles, session));
  const current = findCurrentLink(links, pathname);
  return links.map((page) => {
    const Icon = pageIcons[page.icon as keyof typeof pageIcons];
    return (
      <NavLink
        key={page.pattern}
        component={Link}
        to={page.pattern}
        label={page.name ?? page.title}
        leftSection={<Icon size={18} stroke={1.7} aria-hidden />}
        active={page === current}
        aria-current={page === current ? "page" : undefined}
        data-roles={page.roles?.join(" ")}
        className={classes.link}
      />
    );
  });
}

const year = new Date().getFullYear();

function PortalFooter() {
  return (
    <Group
      component="footer"
      className={classes.footer}
      mt="auto"
      px="var(--xp-gutter)"
      py="1rem"
      gap="0.25rem 1.25rem"
      fz="xs"
      c="dimmed"
      style={{ borderTop: "1px solid var(--xp-line)" }}
    >
      <span>
        © {year} {brand.company.legalName}
      </span>
      <Group component="nav" gap="0.25rem 1.25rem" aria-label="Support and legal">
        <Link to={paths.resources.href()}>Support</Link>
        <Link to={paths.contactUs.href()}>Contact</Link>
        <Link to={paths.terms.href()}>Terms</Link>
        <Link to={paths.privacy.href()}>Privacy</Link>
        <Link to={paths.logout.href()}>Logout</Link>
      </Group>
    </Group>
  );
}

type PageName = keyof typeof paths;

const isForAdminsAlone = (name: PageName) => ["staff", "admins"].includes(pages[name].access);

/**
 * Returns the pages of the side navigation of a role: those with an icon that belong to no other page. Corporate customers
 * may not open Billing, so they don't see it.
 */
function getPortalLinks(role: Role): AppPath[] {
  return (Object.keys(paths) as PageName[])
    .filter((name) => {
      const { icon, under }: AppPath = paths[name];
      return icon && !under && canOpen(pages[name].access, role) && isForAdminsAlone(name) === (role === "admin");
    })
    .map((name) => paths[name]);
}

/** Returns the page of the side navigation that the page at an address is, or belongs to. */
function findCurrentLink(links: readonly AppPath[], pathname: string): AppPath | undefined {
  const matches: AppPath[] = Object.values(paths).filter(({ pattern }) => matchPath(pattern, pathname));
  return links.find((link) => matches.some((page) => page === link || paths[page.under as PageName] === link));
}
