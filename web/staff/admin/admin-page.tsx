import { Anchor, Box, Flex, Paper, SimpleGrid, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { Link, useLocation } from "react-router-dom";
import { type AppPath, paths, schemaExplorer } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { offersRole } from "#web/platform/staff-role.tsx";
import { SearchBox } from "#web/staff/search/search-box.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { pageIcons } from "#web/generated/page-icons.ts";
import classes from "./link-card.module.css";
import { attentionLists } from "#schema/attention.ts";
import { useAttentionQuery, useSinceYesterdayQuery } from "#web/generated/graphql.ts";
import { attentionTexts } from "#web/staff/attention/attention-texts.ts";
import { formatDay } from "#schema/dates.ts";
import { addDays } from "#schema/days.ts";
import { formatNumber } from "#schema/numbers.ts";
import type { LoadedQuery } from "#web/ui/loaded.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { formatError } from "#web/platform/server-error.ts";

/** Shows the number of rows in each attention list, with a link to the list. */
function AttentionCounts() {
  const query = useAttentionQuery();
  const counts = query.data?.attention;
  // Some lists are for some roles only.
  const lists = attentionLists.filter(({ code }) => counts?.some(({ list }) => list === code) ?? true);
  const tiles = lists.map(({ value: list, code, label: title }) => {
    const { hint, isCritical } = attentionTexts[list];
    const tally = counts?.find((one) => one.list === code);
    const to = paths.attention.href({ list });
    return { title, hint, isCritical, to, count: tally?.count, isCapped: tally?.isCapped ?? false };
  });
  return (
    <CountTiles
      title="What needs attention today"
      query={query}
      failure="Unable to count what needs attention."
      tiles={tiles}
    />
  );
}

const tiles = Object.values<AppPath>(paths).filter(({ tile }) => tile);

/** Admin home page with the search, the attention lists and links to all tools. */
export default function AdminPage() {
  const { state } = useLocation();
  const session = useSession();
  const offered = tiles.filter(({ roles }) => offersRole(roles, session));
  return (
    <PageLayout title={paths.admin.title}>
      <Stack gap="xl">
        <SearchBox look="page" startsFocused={(state as { find?: unknown } | null)?.find === true} />
        {offersRole(paths.attention.roles, session) && (
          <>
            <AttentionCounts />
            <SinceYesterday />
          </>
        )}
        <nav aria-label="Main screens">
          <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 5 }} spacing="sm" m={0} p={0}>
            {offered.map((page) => (
              <Box component="li" key={page.pattern} display="grid">
                <Tile {...page} />
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

function Tile({ pattern, icon, title, name = title, tileName = name, tile }: AppPath) {
  const Picture = pageIcons[icon as keyof typeof pageIcons];
  return (
    <Paper component={Link} className={classes.link} to={pattern} withBorder radius="lg" shadow="sm" p="md">
      <Flex gap="0.75rem 1rem" direction={{ base: "row", lg: "column" }}>
        <ThemeIcon variant="light" size="lg">
          <Picture size={20} stroke={1.6} aria-hidden="true" />
        </ThemeIcon>
        <div>
          <Text component="b" display="block" fw={600} data-title>
            {tileName}
          </Text>{" "}
          <Text span display="block" c="dimmed" fz="sm">
            {tile}
          </Text>
        </div>
      </Flex>
    </Paper>
  );
}

/** Counts what happened since the start of yesterday, each with a link to its list. */
function SinceYesterday() {
  const query = useSinceYesterdayQuery();
  const session = useSession();
  const found = query.data?.sinceYesterday;
  const from = found?.firstDay ?? "";
  const since = found ? `since ${formatDay(found.firstDay)}` : "since yesterday";
  const { manageUsers, tax, dashboardList, manageSoftware } = paths;
  const today = from && addDays(from, 1);
  const taxHref = (figure: string) => `${tax.href()}?tab=revenue&figure=${figure}&start=${from}&end=${today}`;
  const rows: readonly (CountTile & Pick<AppPath, "roles">)[] = [
    {
      ...count("New customers", since, found?.newCustomers),
      to: `${manageUsers.href()}?types=1,2&from=${from}&to=${today}&zone=seller`,
    },
    {
      ...count("Payments", "by card and by hand", found?.payments),
      to: taxHref("collected"),
      roles: tax.roles,
    },
    {
      ...count("Cancellations", "not resumed", found?.cancellations),
      to: dashboardList.href({ list: "subscriptions-leaving" }),
    },
    {
      ...count("Failed payments", "renewals and changes", found?.failedPayments),
      to: taxHref("failed"),
      roles: tax.roles,
      isCritical: true,
      isNews: false,
    },
    { ...count("Builds", "published", found?.builds), to: manageSoftware.href(), roles: manageSoftware.roles },
  ];
  const tiles = rows.filter(({ roles }) => offersRole(roles, session));
  return (
    <CountTiles
      title="Since yesterday"
      query={query}
      failure="Unable to count what happened since yesterday."
      tiles={tiles}
    />
  );
}

function count(title: string, hint: string, found: number | undefined) {
  return { title, hint, isNews: true, count: found };
}

interface CountTile {
  readonly title: string;
  /** Text under the title. */
  readonly hint: string;
  readonly to: string;
  /** Undefined while it loads. */
  readonly count: number | undefined;
  /** True if there are more than the count. */
  readonly isCapped?: boolean;
  /** True if a count above zero is shown in red. */
  readonly isCritical?: boolean;
  /** True if nobody has to act on a count above zero, which is shown without colour. */
  readonly isNews?: boolean;
}

interface CountTilesProps {
  title: string;
  query: LoadedQuery<unknown>;
  /** Message if the counts can't be loaded. */
  failure: string;
  tiles: readonly CountTile[];
}

/** A titled row of counts on the admin home, each with a link to what it counts. */
function CountTiles({ title, query: { data, error, refetch }, failure, tiles }: CountTilesProps) {
  const hasFailed = error !== undefined && data === undefined;
  return (
    <section aria-label={title} aria-busy={(data === undefined && !hasFailed) || undefined}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      {hasFailed ? (
        <ErrorState message={formatError(error, failure)} onRetry={refetch} />
      ) : (
        <SimpleGrid component="ul" cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" m={0} p={0}>
          {tiles.map((tile) => (
            <Box component="li" key={tile.title} display="grid">
              <Paper component={Link} className={classes.link} to={tile.to} withBorder radius="lg" shadow="sm" p="md">
                <Text component="b" display="block" fz="1.75rem" fw={640} lh={1.2} c={getColour(tile)}>
                  {tile.count === undefined ? "…" : `${formatNumber(tile.count)}${tile.isCapped ? "+" : ""}`}
                </Text>{" "}
                <Text span display="block" fw={560} fz="sm" mt={4} data-title>
                  {tile.title}
                </Text>{" "}
                <Text span display="block" c="dimmed" fz="xs">
                  {tile.hint}
                </Text>
              </Paper>
            </Box>
          ))}
        </SimpleGrid>
      )}
    </section>
  );
}

function getColour({ count, isCritical = false, isNews = false }: CountTile): string {
  if (!count) return "var(--xp-faint)";
  if (isNews) return "var(--xp-ink)";
  return isCritical ? "var(--xp-critical)" : "var(--xp-on-accent-soft)";
}
