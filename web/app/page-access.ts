import { rememberProductIntent, rememberTrialIntent } from "#web/platform/landing.ts";
import { paths } from "#web/platform/paths.ts";
import type { Access } from "#web/platform/route-entry.ts";

const { admin, home, myAccount } = paths;

/** Only type 1 pays. Other users are redirected to their landing page (docs/domain.md#member-types). */
const payers = { kind: "private", elsewhere: { corporate: home.href(), admin: admin.href() } } as const;

/** Who may open a page, and where all others are redirected. */
export const pageAccess = {
  everyone: { kind: "public" },
  visitors: { kind: "signed-out" },
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
