import {
  type Icon,
  IconChartBar,
  IconClipboardList,
  IconCode,
  IconFileAnalytics,
  IconKey,
  IconPackageExport,
  IconShieldLock,
  IconStack2,
  IconTag,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { Link, useLocation } from "react-router-dom";
import { paths, schemaExplorer } from "#web/platform/paths.ts";
import { AttentionNumbers } from "#web/staff/attention/attention-numbers.tsx";
import { SearchBox } from "#web/staff/search/search-box.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import classes from "./admin.module.css";

const tiles: readonly { title: string; words: string; to: string; Picture: Icon }[] = [
  {
    title: "Manage Users",
    words: "Find, create, edit and archive users.",
    to: paths.manageUsers.href(),
    Picture: IconUsers,
  },
  {
    title: "Dashboard",
    words: "Trials, subscriptions, activity, versions.",
    to: paths.dashboard.href(),
    Picture: IconChartBar,
  },
  {
    title: "Promo Codes",
    words: "Add, change and withdraw discounts.",
    to: paths.managePromoCodes.href(),
    Picture: IconTag,
  },
  {
    title: "Bulk Work",
    words: "Extend or deactivate many licences, import from CSV.",
    to: paths.bulkWork.href(),
    Picture: IconStack2,
  },
  {
    title: "Reports",
    words: "Preview, download and schedule lists.",
    to: paths.reports.href(),
    Picture: IconFileAnalytics,
  },
  {
    title: "Manage Software",
    words: "Upload builds of the add-in, publish them, roll back.",
    to: paths.manageSoftware.href(),
    Picture: IconPackageExport,
  },
  { title: "Audit Log", words: "Who changed what, and when.", to: paths.auditLog.href(), Picture: IconClipboardList },
  { title: "Change Password", words: "The one you sign in with.", to: paths.changePassword.href(), Picture: IconKey },
  {
    title: "Two-Step Sign-In",
    words: "Authenticator app and passkeys.",
    to: paths.twoStepSignIn.href(),
    Picture: IconShieldLock,
  },
  {
    title: "Personal Access Tokens",
    words: "For programs that work in your name.",
    to: paths.personalAccessTokens.href(),
    Picture: IconCode,
  },
  {
    title: "Webhooks",
    words: "Tell your own software what happens here.",
    to: paths.webhooks.href(),
    Picture: IconWebhook,
  },
];

/** The admin's first page: the search of everything, what needs attention, and the way to every tool. */
export default function AdminPage() {
  const { state } = useLocation();
  return (
    <PageLayout title="Admin">
      <div className={classes.workbench}>
        <SearchBox look="page" startsFocused={(state as { find?: unknown } | null)?.find === true} />
        <AttentionNumbers />
        <nav aria-label="Admin">
          <ul className={classes.tiles}>
            {tiles.map(({ title, words, to, Picture }) => (
              <li key={title}>
                <Link className={classes.tile} to={to}>
                  <Picture size={24} stroke={1.6} aria-hidden="true" />
                  <b>{title}</b> <span>{words}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p className={classes.programs}>
          For your own programs: <Link to={paths.restApi.href()}>REST API</Link> ·{" "}
          <a href={schemaExplorer}>Schema Explorer</a>
        </p>
      </div>
    </PageLayout>
  );
}
