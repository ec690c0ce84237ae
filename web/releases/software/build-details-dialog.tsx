import { Stack, Title } from "@mantine/core";
import { formatFileSize, formatNumber } from "#schema/numbers.ts";
import { describeVersionSource, formatBuildVersion } from "#schema/software-upload.ts";
import { type SoftwareBuildFilesQuery, useSoftwareBuildFilesQuery } from "#web/generated/graphql.ts";
import { AppDialog, type DialogControl } from "#web/ui/confirm-dialog.tsx";
import { type Column, DataTable } from "#web/ui/table/data-table.tsx";
import { type Build, BuildBadge, Checksum } from "./build-parts.tsx";
import { Facts, type FactsProps } from "#web/ui/fact-cards.tsx";
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
  const { id, fileName, sizeBytes, sha256, url, createdAt, uploadedBy, publishedAt, withdrawnAt, downloads } = build;
  const source = describeVersionSource(build.versionSource);
  const { data, error, refetch } = useSoftwareBuildFilesQuery({ variables: { id } });
  const facts: FactsProps["facts"] = [
    ["State", <BuildBadge key="state" state={build.state} />],
    source && ["Version", `${build.version}, ${source}`],
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
    [
      "Signature",
      build.signatureProblem ?? (build.signer ? `Signed by ${build.signer}` : "The installer isn't signed."),
    ],
    build.publishingRequestedAt && [
      "Requested",
      <>
        <Moment at={build.publishingRequestedAt} /> by {build.publishingRequestedBy ?? "a deleted account"}. Another
        admin must publish it.
      </>,
    ],
    publishedAt && ["Published", <Moment key="published" at={publishedAt} />],
    withdrawnAt && ["Withdrawn", <Moment key="withdrawn" at={withdrawnAt} />],
    [
      "Downloads",
      `${formatNumber(downloads.installer)} of the installer, ${formatNumber(downloads.application)} via ClickOnce`,
    ],
  ];
  return (
    <AppDialog {...control} title={`${formatBuildVersion(build.version)} for ${build.stageLabel}`} size="lg">
      <Stack>
        <Facts gap="xs" labelWidth="7rem" facts={facts} />
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
          onRetry={refetch}
        />
      </Stack>
    </AppDialog>
  );
}
