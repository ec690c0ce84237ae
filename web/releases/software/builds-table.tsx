import { Text } from "@mantine/core";
import { IconArrowBackUp, IconArrowUp, IconFiles, IconPencil, IconTrash, IconUpload } from "@tabler/icons-react";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { getNextStage } from "#schema/software-stages.ts";
import { formatNumber } from "#schema/numbers.ts";
import { SavedViews } from "#web/ui/lists/saved-views.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import type { RowAction } from "#web/ui/table/row-actions-menu.tsx";
import type { BuildAction } from "./build-action-dialog.tsx";
import { BuildBadge, labelState } from "./build-parts.tsx";
import type { Build, useBuilds } from "./use-builds.ts";
import { momentColumn } from "#web/ui/table/columns.tsx";

const getTotalDownloads = ({ downloads }: Build) => downloads.installer + downloads.application;

const columns: readonly Column<Build>[] = [
  {
    title: "Version",
    text: ({ version, fileName }) => `${version} ${fileName}`,
    render: ({ version, fileName }) => (
      <div>
        <b>{version || "No version yet"}</b>
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
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

/** Table of all builds, with their actions. */
export function BuildsTable(props: {
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
      const kind = build.publishingStep === "REQUEST" ? "request" : "publish";
      return build.publishingStep === "WAIT"
        ? []
        : [
            {
              label: kind === "request" ? "Request publishing" : label,
              icon: IconUpload,
              onSelect: () => onAsk(kind, build),
            },
          ];
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
          {
            label: "Delete draft",
            icon: IconTrash,
            danger: true,
            onSelect: () => onAsk("delete", build),
          },
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
