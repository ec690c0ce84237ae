import { render } from "@testing-library/react";
import userEvent, { PointerEventsCheckLevel } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router-dom";
import { Appearance } from "#web/app/app.tsx";
import { DialogHost } from "#web/ui/dialogs.tsx";
import { PortalTheme } from "#web/ui/portal-theme.tsx";
import { removeSession, type Role, SESSION_KEY, startSession } from "#web/platform/session.ts";

/** Renders a part of the portal at a URL, with theme and notifications. Returns the view and a simulated user. */
export function renderWeb(part: ReactNode, { at = "/" }: { at?: string | { pathname: string; state: unknown } } = {}) {
  // No style sheet is loaded, so nothing can turn pointer events off.
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  const view = render(
    <MemoryRouter initialEntries={[at]}>
      <Appearance env="test">
        <PortalTheme>
          {part}
          <DialogHost />
        </PortalTheme>
      </Appearance>
      <CurrentPlace />
    </MemoryRouter>,
  );
  return { ...view, user, place: () => view.getByTestId("place").textContent };
}

function CurrentPlace() {
  const { pathname, search, hash } = useLocation();
  return <span data-testid="place" hidden>{`${pathname}${search}${hash}`}</span>;
}

/** Builds an access token with a fake signature, which the portal doesn't verify. */
export function createAccessToken(
  user: {
    id?: string;
    role?: Role;
    serial?: number;
    email?: string;
    staffRoles?: readonly string[];
    givenName?: string;
  } = {},
): string {
  const { id = "user-1", role = "regular", serial = 1, email = "ada@demo.test", staffRoles = [] } = user;
  const names = { given_name: user.givenName ?? "Ada", family_name: "Lövgren" };
  const roles = staffRoles.length > 0 ? { staff_roles: staffRoles } : {};
  const claims = { id, sub: email, ...names, rol: role, serial, ...roles };
  const body = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(claims))));
  return `header.${body.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}.signature`;
}

/** Starts a session of that role and returns its access token. */
export function signInAs(
  role: Role,
  options: {
    id?: string;
    serial?: number;
    expiresIn?: number;
    staffRoles?: readonly string[];
    givenName?: string;
  } = {},
): string {
  const { expiresIn = 600, ...user } = options;
  const accessToken = createAccessToken({ ...user, role });
  startSession({ accessToken, refreshToken: `refresh-${user.serial ?? 1}`, expiresIn });
  return accessToken;
}

/** Clears the storage and ends the session. */
export function resetSession(): void {
  localStorage.clear();
  sessionStorage.clear();
  removeSession();
}

/** Changes the stored session as another tab does, and dispatches the storage event. */
export function simulateOtherTab(value: string | null): void {
  if (value === null) localStorage.removeItem(SESSION_KEY);
  else localStorage.setItem(SESSION_KEY, value);
  window.dispatchEvent(new StorageEvent("storage", { key: SESSION_KEY, newValue: value }));
}

export const mockGraphqlResponse = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json; charset=utf-8" } });
