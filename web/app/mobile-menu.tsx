import { IconX } from "@tabler/icons-react";
import { type RefObject, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { Wordmark } from "#web/ui/pictures/logo.tsx";
import { IconButton } from "#web/ui/button.tsx";
import { ContactLine } from "./contact-line.tsx";
import { MenuList } from "./disclosure-menu.tsx";
import classes from "./mobile-menu.module.css";
import type { Navigation, NavigationGroup, NavigationItem } from "./navigation.ts";

export interface MobileMenuProps {
  /** The menu opens automatically when it is first loaded. Afterwards, the caller opens it with `showModal()`. */
  dialog: RefObject<HTMLDialogElement | null>;
  navigation: Navigation;
}

/** The menu of narrow screens. The native dialog traps the focus, closes on Escape and restores the focus. */
export default function MobileMenu({ dialog, navigation }: MobileMenuProps) {
  const { key } = useLocation();
  const close = () => dialog.current?.close();

  useEffect(() => {
    if (dialog.current?.open) dialog.current.close();
  }, [dialog, key]);

  useEffect(() => dialog.current?.showModal(), [dialog]);

  const places = navigation.main.flatMap<NavigationItem | NavigationGroup>((item) =>
    "groups" in item ? item.groups : [item],
  );
  return (
    <dialog ref={dialog} className={classes.dialog} aria-label="Menu" closedby="any">
      <div className={classes.panel}>
        <div
          style={{
            display: "flex",
            alignItems: "center",
            justifyContent: "space-between",
            marginInlineEnd: "-0.625rem",
          }}
        >
          <Wordmark name={brand.nameParts} />
          <IconButton label="Close menu" onClick={close}>
            <IconX size={24} stroke={1.8} aria-hidden="true" />
          </IconButton>
        </div>
        <nav aria-label="Menu">
          <MenuList
            items={[...places, ...navigation.account, ...navigation.signIn]}
            className={classes.list}
            onChoose={close}
          />
        </nav>
        <div className={classes.contact}>
          <ContactLine stacked />
        </div>
      </div>
    </dialog>
  );
}
