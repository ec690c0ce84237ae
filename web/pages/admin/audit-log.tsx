import { paths } from "#web/platform/paths.ts";
import { AuditLog } from "#web/staff/audit-log/audit-log.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Who changed what, when, and what it was before. */
export default function AuditLogPage() {
  return (
    <PageLayout
      title="Audit Log"
      lead="Every change that admins made: who, when, what it was before and what it is now. Entries can’t be altered."
      back={{ to: paths.admin.href(), label: "Admin" }}
    >
      <AuditLog />
    </PageLayout>
  );
}
