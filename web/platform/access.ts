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
