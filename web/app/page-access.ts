import { rememberProductIntent, rememberTrialIntent } from "#web/platform/landing.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import type { Access } from "#web/platform/route-entry.ts";
import type { Role } from "#web/platform/session.ts";

const { admin, home, myAccount } = paths;

/** Only type 1 pays. Other users are redirected to their landing page (docs/domain.md#member-types). */
const payers = { kind: "private", elsewhere: { corporate: home.href(), admin: admin.href() } } as const;

/** Says what to do with an emailed link, for example the one of "This wasn't me", which keeps the session. */
function explainResetLink(search: string): void {
  if (search !== "") notify.error("You are signed in. Sign out, then open the link again to choose a new password.");
}

/** Who may open a page, and where all others are redirected. */
export const pageAccess = {
  everyone: { kind: "public" },
  visitors: { kind: "signed-out" },
  resetters: { kind: "signed-out", signedIn: explainResetLink },
  signedIn: { kind: "private" },
  customers: { kind: "private", elsewhere: { admin: admin.href() } },
  payers,
  /** Visitors who open such a page get it after they signed in or registered. */
  triallers: { ...payers, signedOut: rememberTrialIntent },
  subscribers: { ...payers, signedOut: ({ productId }) => rememberProductIntent(productId ?? "") },
  /** All admin pages except the landing page and Manage Users redirect other users to the home page. */
  staff: { kind: "private", elsewhere: { regular: home.href(), corporate: home.href() } },
  admins: { kind: "private", elsewhere: { regular: myAccount.href(), corporate: myAccount.href() } },
} as const satisfies Record<string, Access>;

export type PageAccess = keyof typeof pageAccess;

/** Returns whether users with a role may open a page for signed-in users. */
export function canOpen(page: PageAccess, role: Role): boolean {
  const access: Access = pageAccess[page];
  return access.kind === "private" && access.elsewhere?.[role] === undefined;
}
