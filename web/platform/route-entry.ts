import type { LazyPage } from "./lazy-page.ts";
import type { Params } from "react-router-dom";
import { paths } from "./paths.ts";
import type { Role } from "./session.ts";

/** Access rule for a page. */
export type Access =
  /** For everyone. */
  | { kind: "public" }
  /** For visitors. Signed-in users are redirected to `otherwise`, or else to the return URL; `signedIn` gets the query. */
  | { kind: "signed-out"; otherwise?: string; signedIn?: (search: string) => void }
  /** For signed-in users. Roles in `elsewhere` are redirected there. */
  | { kind: "private"; elsewhere?: Partial<Record<Role, string>>; signedOut?: (params: Readonly<Params>) => void };

/** For confirmation pages, which redirect signed-in users to their account. */
export const unconfirmed: Access = { kind: "signed-out", otherwise: paths.myAccount.href() };

/** A page of the portal. */
export interface RouteEntry {
  path: { readonly pattern: string; readonly hasFixedPaths?: true };
  access: Access;
  page: LazyPage;
}
