import { Anchor, Box, Group, Paper, SimpleGrid, Stack, Text, ThemeIcon } from "@mantine/core";
import {
  type Icon,
  IconArmchair,
  IconChartBar,
  IconClipboardList,
  IconCode,
  IconCreditCard,
  IconFileAnalytics,
  IconFileInvoice,
  IconKey,
  IconPackageExport,
  IconReceipt2,
  IconReceiptTax,
  IconShieldExclamation,
  IconShieldLock,
  IconStack2,
  IconTag,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { Link, useLocation } from "react-router-dom";
import { customerStaff } from "#schema/staff-roles.ts";
import { paths, schemaExplorer } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { type NeededRole, offersRole } from "#web/platform/staff-role.tsx";
import { AttentionCounts } from "#web/staff/attention/attention-counts.tsx";
import { SearchBox } from "#web/staff/search/search-box.tsx";
import { PageLayout } from "#web/public-ui/page-layout.tsx";
import classes from "#web/staff/link-card.module.css";

interface Tile {
  readonly title: string;
  readonly description: string;
  readonly to: string;
  readonly Picture: Icon;
  readonly role?: NeededRole;
}

const tiles: readonly Tile[] = [
  {
    title: "Manage Users",
    description: "Find, create, edit and archive users.",
    to: paths.manageUsers.href(),
    Picture: IconUsers,
    role: customerStaff,
  },
  {
    title: "Subscriptions",
    description: "See renewals, and retry overdue payments.",
    to: paths.subscriptions.href(),
    Picture: IconCreditCard,
    role: customerStaff,
  },
  {
    title: "Invoices",
    description: "Find invoices, and see what is overdue.",
    to: paths.adminInvoices.href(),
    Picture: IconFileInvoice,
    role: customerStaff,
  },
  {
    title: "Tax",
    description: "See the GST summary, revenue and cash.",
    to: paths.tax.href(),
    Picture: IconReceiptTax,
    role: "finance",
  },
  {
    title: "Plans",
    description: "Set prices, and take plans off sale.",
    to: paths.plans.href(),
    Picture: IconReceipt2,
    role: "finance",
  },
  {
    title: "Promo Codes",
    description: "Add, edit and delete discounts.",
    to: paths.managePromoCodes.href(),
    Picture: IconTag,
    role: customerStaff,
  },
  {
    title: "Reports",
    description: "Preview, download and schedule reports.",
    to: paths.reports.href(),
    Picture: IconFileAnalytics,
    role: "finance",
  },
  {
    title: "Dashboard",
    description: "See trials, subscriptions, activity and versions.",
    to: paths.dashboard.href(),
    Picture: IconChartBar,
    role: customerStaff,
  },
  {
    title: "Manage Software",
    description: "Upload, publish and roll back add-in builds.",
    to: paths.manageSoftware.href(),
    Picture: IconPackageExport,
    role: "release",
  },
  {
    title: "Bulk Work",
    description: "Extend or deactivate many licences, or import from CSV.",
    to: paths.bulkWork.href(),
    Picture: IconStack2,
    role: "support",
  },
  {
    title: "Seats",
    description: "See and release seats of concurrent licences.",
    to: paths.adminSeats.href(),
    Picture: IconArmchair,
    role: customerStaff,
  },
  {
    title: "Audit Log",
    description: "See every change made by admins.",
    to: paths.auditLog.href(),
    Picture: IconClipboardList,
    role: customerStaff,
  },
  {
    title: "Security Events",
    description: "See sign-ins, refused requests and exports.",
    to: paths.securityEvents.href(),
    Picture: IconShieldExclamation,
    role: "owner",
  },
  {
    title: "Change Password",
    description: "Change the password you sign in with.",
    to: paths.changePassword.href(),
    Picture: IconKey,
  },
  {
    title: "Two-step sign-in",
    description: "Set up an authenticator app or passkeys.",
    to: paths.twoStepSignIn.href(),
    Picture: IconShieldLock,
  },
  {
    title: "Personal access tokens",
    description: "Let scripts use the API on your behalf.",
    to: paths.personalAccessTokens.href(),
    Picture: IconCode,
  },
  {
    title: "Webhooks",
    description: "Send events to your own systems.",
    to: paths.webhooks.href(),
    Picture: IconWebhook,
  },
];

/** Admin home page with the search, the attention lists and links to all tools. */
export default function AdminPage() {
  const { state } = useLocation();
  const session = useSession();
  const offered = tiles.filter(({ role }) => offersRole(role, session));
  return (
    <PageLayout title="Admin">
      <Stack gap="xl">
        <SearchBox look="page" startsFocused={(state as { find?: unknown } | null)?.find === true} />
        {offersRole(customerStaff, session) && <AttentionCounts />}
        <nav aria-label="All screens">
          <SimpleGrid component="ul" minColWidth="min(100%, 17rem)" spacing="sm" m={0} p={0}>
            {offered.map(({ title, description, to, Picture }) => (
              <Box component="li" key={title} display="grid">
                <Paper component={Link} className={classes.link} to={to} withBorder radius="lg" shadow="sm" p="md">
                  <Group gap="md" wrap="nowrap" align="flex-start">
                    <ThemeIcon variant="light" size="lg">
                      <Picture size={20} stroke={1.6} aria-hidden="true" />
                    </ThemeIcon>
                    <div>
                      <Text component="b" display="block" fw={600} data-title>
                        {title}
                      </Text>{" "}
                      <Text span display="block" c="dimmed" fz="sm">
                        {description}
                      </Text>
                    </div>
                  </Group>
                </Paper>
              </Box>
            ))}
          </SimpleGrid>
        </nav>
        <Text c="dimmed" fz="sm">
          For developers:{" "}
          <Anchor component={Link} inherit to={paths.restApi.href()}>
            REST API
          </Anchor>{" "}
          ·{" "}
          <Anchor inherit href={schemaExplorer}>
            Schema explorer
          </Anchor>
        </Text>
      </Stack>
    </PageLayout>
  );
}
