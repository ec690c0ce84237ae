import { createContext } from "react";

/** True in tests without a browser: dialogs stand in the page at once, without transitions. */
export const InTest = createContext(false);
