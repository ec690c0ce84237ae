import type { LazyPage } from "./lazy-page.ts";
import type { Params } from "react-router-dom";
import { paths } from "./paths.ts";
import type { Role } from "./session.ts";

/** Who may open a page. */
export type Access =
  /** Everybody. */
  | { kind: "public" }
  /** Visitors; a signed-in one is led to `otherwise`, else to the return target. */
  | { kind: "signed-out"; otherwise?: string }
  /** Signed-in users. Roles named in `elsewhere` are led there instead. */
  | { kind: "private"; elsewhere?: Partial<Record<Role, string>>; signedOut?: (params: Readonly<Params>) => void };

export const everybody: Access = { kind: "public" };

/** Confirmation pages lead the signed-in to their account. */
export const unconfirmed: Access = { kind: "signed-out", otherwise: paths.myAccount.href() };

/** One page of the portal: its URL, who may open it, its file, and whether it talks to the api through Apollo. */
export interface RouteEntry {
  path: { readonly pattern: string };
  access: Access;
  page: LazyPage;
  /** True for pages that use generated hooks; others load without Apollo Client. */
  data?: boolean;
  /** True where every address that fits is a page of the content: the server answers 404 to any other. */
  closed?: boolean;
}
