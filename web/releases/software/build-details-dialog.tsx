import { DataList, Stack, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { formatFileSize, formatNumber } from "#schema/numbers.ts";
import { describeVersionSource, formatBuildVersion } from "#schema/software-upload.ts";
import { type SoftwareBuildFilesQuery, useSoftwareBuildFilesQuery } from "#web/generated/graphql.ts";
import { AppDialog, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { BuildBadge, Checksum } from "./build-parts.tsx";
import type { Build } from "./use-builds.ts";
import { Moment } from "#web/ui/moment.tsx";

type StoredFile = SoftwareBuildFilesQuery["softwareBuild"]["files"][number];

const columns: readonly Column<StoredFile>[] = [
  {
    title: "Path",
    text: ({ path }) => path,
    wrap: "anywhere",
    render: ({ path, url }) => (url ? <a href={url}>{path}</a> : path),
  },
  {
    title: "Size",
    text: ({ sizeBytes }) => formatFileSize(sizeBytes),
    sortBy: ({ sizeBytes }) => sizeBytes,
    align: "right",
    wrap: "never",
  },
  {
    title: "SHA-256",
    text: ({ sha256 }) => sha256,
    sortBy: null,
    render: ({ sha256, path }) => <Checksum sha256={sha256} of={path} />,
  },
];

/** Details and files of a build. */
export default function BuildDetailsDialog({ build, ...control }: DialogControl & { build: Build }) {
  return (
    <AppDialog {...control} title={`${formatBuildVersion(build.version)} for ${build.stageLabel}`} size="lg">
      <Details build={build} />
    </AppDialog>
  );
}

function Details({ build }: { build: Build }) {
  const { id, fileName, sizeBytes, sha256, url, createdAt, uploadedBy, publishedAt, withdrawnAt, downloads } = build;
  const source = describeVersionSource(build.versionSource);
  const { data, error, refetch } = useSoftwareBuildFilesQuery({ variables: { id } });
  const facts: [name: string, value: ReactNode][] = [["State", <BuildBadge key="state" state={build.state} />]];
  if (source) facts.push(["Version", `${build.version}, ${source}`]);
  facts.push(
    [
      "Installer",
      <>
        {url ? (
          <a href={url} download>
            {fileName}
          </a>
        ) : (
          fileName
        )}
        , {formatFileSize(sizeBytes)}
      </>,
    ],
    ["SHA-256", <Checksum key="sum" sha256={sha256} of={fileName} />],
    [
      "Uploaded",
      <>
        <Moment at={createdAt} />
        {uploadedBy && ` by ${uploadedBy}`}
      </>,
    ],
  );
  facts.push([
    "Signature",
    build.signatureProblem ?? (build.signer ? `Signed by ${build.signer}` : "The installer isn't signed."),
  ]);
  if (build.publishingRequestedAt)
    facts.push([
      "Requested",
      <>
        <Moment at={build.publishingRequestedAt} /> by {build.publishingRequestedBy ?? "a deleted account"}. Another
        admin must publish it.
      </>,
    ]);
  if (publishedAt) facts.push(["Published", <Moment key="published" at={publishedAt} />]);
  if (withdrawnAt) facts.push(["Withdrawn", <Moment key="withdrawn" at={withdrawnAt} />]);
  facts.push([
    "Downloads",
    `${formatNumber(downloads.installer)} of the installer, ${formatNumber(downloads.application)} via ClickOnce`,
  ]);
  return (
    <Stack>
      <DataList gap="xs" labelWidth="7rem">
        {facts.map(([name, value]) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue style={{ overflowWrap: "anywhere" }}>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
      <Title order={3} size="h4">
        ClickOnce files
      </Title>
      <DataTable
        name="ClickOnce files"
        columns={columns}
        rows={data?.softwareBuild.files}
        rowId={({ path }) => path}
        pageSize={10}
        dense
        emptyMessage="This build has only an installer."
        error={data ? undefined : error}
        failure="Unable to load the files."
        onRetry={() => void refetch().catch(() => undefined)}
      />
    </Stack>
  );
}
