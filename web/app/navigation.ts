import { paths } from "./paths.ts";
import type { Session } from "./session.ts";

/** A place in the menus. */
export interface NavigationItem {
  label: string;
  to: string;
}

/** The menu by sign-in state: Login hides for the signed-in, My Account for visitors (spec, public §2). */
export interface Navigation {
  main: readonly NavigationItem[];
  /** Under My Account; empty for visitors. */
  account: readonly NavigationItem[];
  /** Login and Register; empty for the signed-in. */
  entrance: readonly NavigationItem[];
}

/** What the header, the drawer and the footer offer. */
export function navigationFor(session: Session | null): Navigation {
  const trial = { label: "Trial Professional", to: paths.trial.href() };
  const contact = { label: "Contact", to: paths.contactUs.href() };
  if (!session)
    return {
      main: [trial, contact],
      account: [],
      entrance: [
        { label: "Login", to: paths.login.href() },
        { label: "Register", to: paths.register.href() },
      ],
    };
  return {
    main: session.claims.role === "regular" ? [trial, contact] : [contact],
    account: [
      { label: "View My Account", to: paths.myAccount.href() },
      { label: "Where You Are Signed In", to: paths.sessions.href() },
      { label: "Two-Step Sign-In", to: paths.twoStepSignIn.href() },
      ...(session.claims.role === "admin" ? [] : [{ label: "Your Data", to: paths.yourData.href() }]),
      { label: "Logout", to: paths.logout.href() },
    ],
    entrance: [],
  };
}
