import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { AttentionTable } from "#web/staff/attention/attention-table.tsx";
import { isAttentionList, wordsOfList } from "#web/staff/attention/attention-words.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** One of the lists of what needs attention. */
export default function AttentionPage() {
  const { list = "" } = useParams();
  const back = { to: paths.admin.href(), label: "Admin" };
  if (!isAttentionList(list))
    return (
      <PageLayout title="Attention" back={back}>
        <EmptyState message="There is no such list." />
      </PageLayout>
    );
  const { title, lead } = wordsOfList[list];
  return (
    <PageLayout title={title} lead={lead} back={back}>
      <AttentionTable key={list} list={list} />
    </PageLayout>
  );
}
