import { Anchor, Box, Paper, SimpleGrid, Stack, Text, ThemeIcon } from "@mantine/core";
import { Link, useLocation } from "react-router-dom";
import { type AppPath, paths, schemaExplorer } from "#web/platform/paths.ts";
import { useSession } from "#web/platform/session.ts";
import { offersRole } from "#web/platform/staff-role.tsx";
import { SearchBox } from "#web/staff/search/search-box.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { pageIcons } from "#web/ui/page-icons.ts";
import classes from "./link-card.module.css";
import { SinceYesterday } from "./since-yesterday.tsx";
import { attentionLists } from "#schema/attention.ts";
import { useAttentionQuery } from "#web/generated/graphql.ts";
import { CountTiles } from "./count-tiles.tsx";
import { formatCount, attentionTexts } from "#web/staff/attention/attention-texts.ts";

/** Shows the number of rows in each attention list, with a link to the list. */
function AttentionCounts() {
  const query = useAttentionQuery();
  const counts = query.data?.attention;
  // Some lists are for some roles only.
  const lists = attentionLists.filter(({ code }) => counts?.some(({ list }) => list === code) ?? true);
  const tiles = lists.map(({ value: list, code }) => {
    const { title, hint, isCritical } = attentionTexts[list];
    const tally = counts?.find((one) => one.list === code);
    const shown = tally && formatCount(tally);
    return { title, hint, isCritical, to: paths.attention.href({ list }), count: tally?.count, shown };
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
      <div className={classes.tile}>
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
      </div>
    </Paper>
  );
}
