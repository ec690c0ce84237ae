import type { ComponentType, ReactNode } from "react";
import { paths, type PageTab } from "#web/platform/paths.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

/** Props for every Update User tab. */
export interface UserTabProps {
  userId: string;
}

/** A tab on the Update User page. */
export interface UserTab extends PageTab {
  /** Value of the URL parameter `tab`. */
  readonly id: string;
  readonly Panel: (props: UserTabProps) => ReactNode;
}

const panels: Readonly<Record<string, UserTab["Panel"]>> = {
  overview: lazyTab(() => import("./overview/overview-tab.tsx"), "OverviewTab"),
  details: lazyTab(() => import("./user-details-tab.tsx"), "UserDetailsTab"),
  contacts: lazyTab(() => import("#web/staff/contacts/contacts-tab.tsx"), "ContactsTab"),
  licences: lazyTab(() => import("#web/licensing/licences/licences-tab.tsx"), "LicencesTab"),
  billing: lazyTab(() => import("#web/billing/billing-tab.tsx"), "BillingTab"),
  comments: lazyTab(() => import("#web/staff/comments/comments-tab.tsx"), "CommentsTab"),
  "sign-in": lazyTab(() => import("#web/access/sessions/user-sessions-panel.tsx"), "SignInTab"),
  history: lazyTab(() => import("#web/staff/audit-log/history-tab.tsx"), "HistoryTab"),
};

/** All tabs, in order. */
export const userTabs: readonly UserTab[] = Object.entries(paths.updateUser.tabs ?? {}).flatMap(([id, tab]) => {
  const Panel = panels[id];
  return Panel ? [{ id, ...tab, Panel }] : [];
});

/** Creates a tab that loads when it is first opened. */
export function lazyTab(load: () => Promise<Record<string, ComponentType<UserTabProps>>>, name: string) {
  return lazyPart(async () => ({ default: (await load())[name] as ComponentType<UserTabProps> }), "message");
}
