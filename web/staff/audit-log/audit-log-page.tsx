import { AuditLog } from "./audit-log.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

export default function AuditLogPage() {
  return (
    <PageLayout
      title={paths.auditLog.title}
      lead="Every change made by admins, with the values before and after. Entries can’t be edited."
    >
      <AuditLog />
    </PageLayout>
  );
}
