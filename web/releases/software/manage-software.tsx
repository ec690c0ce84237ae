import { Paper, Stack, Text, Title } from "@mantine/core";
import { ForStaffRole, useStaffRole } from "#web/platform/staff-role.tsx";
import { useSoftwareChannelsQuery } from "#web/generated/graphql.ts";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import type { BuildAction } from "./build-action-dialog.tsx";
import { ChannelCards } from "./channel-cards.tsx";
import { UploadForm } from "./upload-form.tsx";
import type { UploadedBuild } from "./use-upload.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { IconArrowBackUp, IconArrowUp, IconFiles, IconPencil, IconTrash, IconUpload } from "@tabler/icons-react";
import { getNextStage } from "#schema/software-stages.ts";
import { formatNumber } from "#schema/numbers.ts";
import { DefaultView, SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import { type Build, BuildBadge, labelState, useBuilds } from "./build-parts.tsx";
import { momentColumn } from "#web/ui/table/columns.tsx";

/** Page where staff upload, publish and withdraw builds of the add-in. */
export default function ManageSoftwarePage() {
  return (
    <PageLayout
      title={paths.manageSoftware.title}
      lead="Upload a build, then publish it to offer it in its stage."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <ManageSoftware />
    </PageLayout>
  );
}

/** The upload form, the stages with their offered builds, and the table of all builds. */
function ManageSoftware() {
  const query = useSoftwareChannelsQuery();
  const list = useBuilds();
  const openDialog = useOpenDialog();
  const showDetails = (build: Build) => openDialog(() => import("./build-details-dialog.tsx"), { build });
  useRequestedAction(
    {
      details: (id) => {
        const build = list.builds?.find((one) => one.id === id);
        if (build) showDetails(build);
      },
    },
    list.isComplete,
  );
  const channels = query.data?.softwareChannels;
  const reloadChannels = () => void query.refetch().catch(() => undefined);

  function reload() {
    reloadChannels();
    void list.reload();
  }

  // A new upload isn't in the list yet.
  const isWaiting = (id: string) => (list.builds?.find((build) => build.id === id)?.state ?? "UPLOADED") === "UPLOADED";

  function openQuestion(kind: BuildAction["kind"], build: BuildAction["build"]) {
    const question = { kind, build, channel: channels?.find(({ stage }) => stage === build.stage) };
    openDialog(() => import("./build-action-dialog.tsx"), { question, onSettled: reload });
  }

  const enterVersion = (build: { id: string; fileName?: string }) =>
    openDialog(() => import("./build-version-dialog.tsx"), { build, onSaved: reload });

  function publishUpload(uploaded: UploadedBuild) {
    const build = list.builds?.find(({ id }) => id === uploaded.id);
    if (!(build ?? uploaded).version) return enterVersion(build ?? uploaded);
    openQuestion(build?.publishingStep === "REQUEST" ? "request" : "publish", build ?? uploaded);
  }

  return (
    <Stack gap="xl">
      <ForStaffRole has="release">
        <Paper withBorder radius="lg" shadow="sm" p={{ base: "md", sm: "lg" }}>
          <UploadForm isWaiting={isWaiting} onSettled={reload} onPublish={publishUpload} />
        </Paper>
      </ForStaffRole>
      <section aria-labelledby="stages">
        <Title order={2} id="stages" fz="1.25rem" mb="md">
          Offered builds
        </Title>
        <Loaded query={query} failure="Unable to load the stages." loading="Loading the stages">
          {({ softwareChannels }) => (
            <ChannelCards
              channels={softwareChannels}
              onEditMinimum={(channel) =>
                openDialog(() => import("./minimum-version-dialog.tsx"), { channel, onSaved: reloadChannels })
              }
              onRollBack={({ offered }) => offered && openQuestion("roll-back", offered)}
            />
          )}
        </Loaded>
      </section>
      <section aria-labelledby="builds">
        <Title order={2} id="builds" fz="1.25rem" mb="md">
          Builds
        </Title>
        <DefaultView list="builds">
          {(view) => (
            <BuildsTable
              list={list}
              onAsk={openQuestion}
              onEnterVersion={enterVersion}
              onDetails={showDetails}
              view={view}
            />
          )}
        </DefaultView>
      </section>
    </Stack>
  );
}

const getTotalDownloads = ({ downloads }: Build) => downloads.installer + downloads.application;

const columns: readonly Column<Build>[] = [
  {
    title: "Version",
    text: ({ version, fileName }) => `${version} ${fileName}`,
    render: ({ version, fileName }) => (
      <div>
        <b>{version || "No version yet"}</b>
        <Text size="xs" c="dimmed" data-break="anywhere">
          {fileName}
        </Text>
      </div>
    ),
  },
  { title: "Stage", text: ({ stageLabel }) => stageLabel },
  {
    title: "State",
    text: ({ state }) => labelState(state),
    render: ({ state, publishingRequestedBy }) => (
      <div>
        <BuildBadge state={state} />
        {publishingRequestedBy && (
          <Text size="xs" c="dimmed">
            Requested by {publishingRequestedBy}
          </Text>
        )}
      </div>
    ),
  },
  momentColumn("Uploaded", ({ createdAt }) => createdAt),
  { title: "Uploaded by", text: ({ uploadedBy }) => uploadedBy ?? "" },
  momentColumn("Published", ({ publishedAt }) => publishedAt),
  {
    title: "Downloads",
    text: (build) => formatNumber(getTotalDownloads(build)),
    sortBy: getTotalDownloads,
    align: "right",
  },
];

function BuildsTable(props: {
  list: ReturnType<typeof useBuilds>;
  onAsk: (kind: BuildAction["kind"], build: Build) => void;
  onEnterVersion: (build: Build) => void;
  onDetails: (build: Build) => void;
  /** Parameters of the default view, if the list opens with one. */
  view: URLSearchParams | null;
}) {
  const { list, onAsk, onEnterVersion, onDetails, view } = props;
  const urlList = useUrlList({ rememberAs: "builds", open: () => view });
  const canEdit = useStaffRole("release");

  function getActions(build: Build): RowAction[] {
    const details: RowAction = { label: "Details", icon: IconFiles, onSelect: () => onDetails(build) };
    const publish = (label: string): RowAction[] => {
      if (build.publishingStep === "WAIT") return [];
      const kind = build.publishingStep === "REQUEST" ? "request" : "publish";
      const shown = kind === "request" ? "Request publishing" : label;
      return [{ label: shown, icon: IconUpload, onSelect: () => onAsk(kind, build) }];
    };
    const withdraw: RowAction = {
      label: "Withdraw",
      icon: IconArrowBackUp,
      danger: true,
      onSelect: () => onAsk("withdraw", build),
    };
    const next = getNextStage(build.stage);
    const promote: RowAction[] = next
      ? [{ label: `Promote to ${next.label}`, icon: IconArrowUp, onSelect: () => onAsk("promote", build) }]
      : [];
    if (!canEdit) return [details];
    switch (build.state) {
      case "UPLOADED":
        return [
          ...(build.version
            ? publish("Publish")
            : [{ label: "Enter version", icon: IconPencil, onSelect: () => onEnterVersion(build) }]),
          details,
          { label: "Delete draft", icon: IconTrash, danger: true, onSelect: () => onAsk("delete", build) },
        ];
      case "PUBLISHED":
        return [...publish("Offer again"), details, withdraw];
      case "OFFERED":
        return [...(build.manifestToSign ? publish("Sign again") : []), ...promote, details, withdraw];
      case "WITHDRAWN":
        return [details];
    }
  }

  return (
    <DataTable
      name="Builds"
      columns={columns}
      list={urlList}
      rows={list.builds}
      rowId={({ id }) => id}
      rowLabel={({ version, stageLabel }) => `${version || "the build without a version"} for ${stageLabel}`}
      actions={getActions}
      toolbar={<SavedViews name="builds" list={urlList} />}
      emptyMessage="No builds."
      error={list.error}
      failure="Unable to load the builds."
      onRetry={() => void list.reload()}
    />
  );
}
