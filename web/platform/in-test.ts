import { createContext } from "react";

/** True in tests without a browser: dialogs open immediately, without transitions. */
export const InTest = createContext(false);
