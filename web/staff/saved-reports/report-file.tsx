import { Stack } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { formatShortDays } from "#schema/dates.ts";
import { formatFileSize } from "#schema/numbers.ts";
import { paths } from "#web/platform/paths.ts";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import { useReportFileQuery } from "#web/generated/graphql.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { getErrorCode } from "#web/platform/server-error.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { Facts } from "#web/ui/fact-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { useLocation } from "react-router-dom";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Offers the report from an emailed link for download. */
export function ReportFile({ token }: { token: string }) {
  const query = useReportFileQuery({ variables: { token }, skip: token === "" });
  const { data, error } = query;
  const download = useReportDownload();

  if (token === "" || (error && ["NOT_FOUND", "BAD_USER_INPUT"].includes(getErrorCode(error) ?? "")))
    return (
      <ErrorState message="This link doesn't work. It may be older than 7 days, its saved report may have been deleted, or it was emailed to another admin.">
        <LinkButton to={paths.reports.href()}>Go to reports</LinkButton>
      </ErrorState>
    );
  if (!data) return <Loaded query={query} failure="Unable to load the report." loading="Loading the report" />;
  const { name, fileName, sizeBytes, expiresAt } = data.reportFile;
  return (
    <Stack gap="lg" align="flex-start" data-break="anywhere">
      <Facts
        weight={560}
        facts={[
          ["Name", name],
          ["Period", formatShortDays(data.reportFile)],
          ["File", `${fileName}, ${formatFileSize(sizeBytes)}`],
          ["Link expires", <Moment key="expires" at={expiresAt} />],
        ]}
      />
      <Button
        leftSection={<IconDownload size={18} stroke={1.8} aria-hidden="true" />}
        onClick={() => download.start(`Downloading ${fileName}`, "/v1/reports/download-file", { token })}
      >
        Download
      </Button>
      {download.progress}
    </Stack>
  );
}

/** Page opened by the link in a scheduled report's email. Signed-out users must sign in first. */
export default function ReportFilePage() {
  const token = new URLSearchParams(useLocation().search).get("t") ?? "";
  return (
    <PageLayout title={paths.reportFile.title} back={{ to: paths.reports.href(), label: "Reports" }} width="form" card>
      <ReportFile token={token} />
    </PageLayout>
  );
}
