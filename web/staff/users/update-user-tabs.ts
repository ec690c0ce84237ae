import { customerStaff, type StaffRole } from "#schema/staff-roles.ts";
import type { ComponentType, ReactNode } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { MemberType } from "#web/generated/graphql.ts";

/** Props for every Update User tab. */
export interface UserTabProps {
  userId: string;
}

/** A tab on the Update User page. */
export interface UserTab {
  /** Value of the URL parameter `tab`. */
  id: string;
  label: string;
  Panel: (props: UserTabProps) => ReactNode;
  /** Member types whose users don't have this tab. */
  hiddenFor?: readonly MemberType[];
  /** Staff roles that may see it; all without a list. */
  roles?: readonly StaffRole[];
}

/** All tabs, in order. */
export const userTabs: readonly UserTab[] = [
  {
    id: "details",
    label: "User Details",
    Panel: lazyTab(() => import("./user-details-tab.tsx"), "UserDetailsTab"),
  },
  {
    id: "contacts",
    label: "Contacts",
    Panel: lazyTab(() => import("#web/staff/contacts/contacts-tab.tsx"), "ContactsTab"),
  },
  {
    id: "licences",
    label: "Licences",
    Panel: lazyTab(() => import("#web/licensing/licences/licences-tab.tsx"), "LicencesTab"),
    hiddenFor: ["ADMIN"],
  },
  {
    id: "billing",
    label: "Billing",
    Panel: lazyTab(() => import("#web/billing/billing-tab.tsx"), "BillingTab"),
    hiddenFor: ["ADMIN"],
    roles: customerStaff,
  },
  {
    id: "comments",
    label: "Comments",
    Panel: lazyTab(() => import("#web/staff/comments/comments-tab.tsx"), "CommentsTab"),
    roles: ["support"],
  },
  {
    id: "sign-in",
    label: "Sign-In",
    Panel: lazyTab(() => import("#web/access/sessions/sign-in-tab.tsx"), "SignInTab"),
    roles: ["support"],
  },
  {
    id: "history",
    label: "History",
    Panel: lazyTab(() => import("#web/staff/audit-log/history-tab.tsx"), "HistoryTab"),
    roles: ["support"],
  },
];

/** Creates a tab that loads when it is first opened. */
export function lazyTab(load: () => Promise<Record<string, ComponentType<UserTabProps>>>, name: string) {
  return lazyPart(async () => ({ default: (await load())[name] as ComponentType<UserTabProps> }), "message");
}
