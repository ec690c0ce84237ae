import { useParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { AttentionTable } from "./attention-table.tsx";
import { isAttentionList, attentionTexts } from "./attention-texts.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Shows one list of items that need attention. */
export default function AttentionPage() {
  const { list = "" } = useParams();
  const back = { to: paths.admin.href(), label: "Admin" };
  if (!isAttentionList(list))
    return (
      <PageLayout title={paths.attention.title} back={back}>
        <EmptyState message="We couldn't find this list." />
      </PageLayout>
    );
  const { title, lead } = attentionTexts[list];
  return (
    <PageLayout title={title} lead={lead} back={back}>
      <AttentionTable key={list} list={list} />
    </PageLayout>
  );
}
