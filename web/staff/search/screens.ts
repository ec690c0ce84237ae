import { type AppPath, paths } from "#web/platform/paths.ts";
import { getSession } from "#web/platform/session.ts";
import { type NeededRole, offersRole } from "#web/platform/staff-role.tsx";

/** A screen of the admin area that the search box finds by its name, or an action that starts on one. */
export interface ScreenHit {
  readonly kind: "SCREEN" | "ACTION";
  /** URL of the screen, with the action to start. */
  readonly id: string;
  readonly label: string;
  readonly subLabel: string;
  readonly isPast: false;
  readonly role?: NeededRole;
}

/** A page of the table that says how the search finds it, and the action that starts on it. A page that creates is an action. */
function toHits({ pattern, title, name = title, found, roles, icon, action }: AppPath): ScreenHit[] {
  if (!found) return [];
  const screen = {
    kind: icon ? "SCREEN" : "ACTION",
    id: pattern,
    label: name,
    subLabel: found,
    isPast: false,
  } as const;
  if (!action) return [{ ...screen, role: roles }];
  const start = { kind: "ACTION", id: pattern + action.search, label: action.name, subLabel: action.found } as const;
  return [
    { ...screen, role: roles },
    { ...start, isPast: false, role: action.roles },
  ];
}

const screens = Object.values<AppPath>(paths).flatMap(toHits);

/** Finds screens and actions by their label, as {@link matchLabels} does. */
export function findScreens(text: string): ScreenHit[] {
  const session = getSession();
  return matchLabels(
    screens.filter(({ role }) => offersRole(role, session)),
    text,
  );
}

/**
 * Returns the hits whose label, or another text, has a word that starts with each typed word. A label that starts with the
 * whole text comes first.
 */
export function matchLabels(hits: readonly ScreenHit[], text: string, getText = ({ label }: ScreenHit) => label) {
  const whole = text.trim().toLowerCase();
  const typed = whole.split(/\s+/).filter(Boolean);
  const found = hits.filter((hit) => {
    const words = getText(hit).toLowerCase().split(" ");
    return typed.every((start) => words.some((word) => word.startsWith(start)));
  });
  const isLater = ({ label }: ScreenHit) => Number(!label.toLowerCase().startsWith(whole));
  return found.toSorted((one, other) => isLater(one) - isLater(other));
}
