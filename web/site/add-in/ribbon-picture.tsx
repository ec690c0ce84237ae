import {
  IconFileExport,
  IconFileImport,
  IconHeartRateMonitor,
  IconKey,
  IconListCheck,
  IconTableOptions,
} from "@tabler/icons-react";
import { brand } from "#schema/brand.ts";
import classes from "./ribbon-picture.module.css";

const icons = [IconFileExport, IconFileImport, IconTableOptions, IconHeartRateMonitor, IconListCheck, IconKey];

/** The add-in's tab on the planning program's ribbon. Its buttons are drawn. */
export function RibbonPicture({ tabs, buttons }: { tabs: readonly string[]; buttons: readonly string[] }) {
  return (
    <div className={classes.ribbon}>
      <ul className={classes.tabs} aria-label="Tabs">
        {tabs.map((tab) => (
          <li key={tab}>{tab}</li>
        ))}
        <li data-current>{brand.productName}</li>
      </ul>
      <ul className={classes.buttons} aria-label={`Buttons of the tab ${brand.productName}`}>
        {buttons.map((button, index) => {
          const Icon = icons[index];
          return (
            <li key={button}>
              {Icon && <Icon size={28} stroke={1.6} aria-hidden="true" />}
              {button}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
