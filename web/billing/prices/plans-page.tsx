import { Stack, Text } from "@mantine/core";
import { useState } from "react";
import { type ManagedPriceFragment, useAllPlansQuery, useSetPlanOnSaleMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { formatError } from "#web/platform/server-error.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { lazyDialog } from "#web/ui/lazy-part.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { type ManagedPlan, PlanCard } from "./plan-card.tsx";
import { billingIntervals } from "#schema/plan-catalogue.ts";
import { toValue } from "#schema/closed-list.ts";

const NewPriceDialog = lazyDialog(
  () => import("./new-price-dialog.tsx").then((file) => file.NewPriceDialog),
  ({ price }) => price !== null,
);
const MoveSubscribersDialog = lazyDialog(
  () => import("./move-subscribers-dialog.tsx").then((file) => file.MoveSubscribersDialog),
  () => true,
);
const ReasonDialog = lazyDialog(
  () => import("./reason-dialog.tsx").then((file) => file.ReasonDialog),
  ({ opened }) => opened,
);

/** A price that a dialog is about, with its name. */
interface Chosen {
  readonly action: "price" | "move";
  readonly price: ManagedPriceFragment;
  readonly name: string;
}

/** Page with the plans and their prices. */
export default function PlansPage() {
  return (
    <PageLayout
      title={paths.plans.title}
      lead="Prices are without GST. A new price applies to new subscriptions. Subscribers keep theirs until you move them."
    >
      <Plans />
    </PageLayout>
  );
}

/** Lists the plans with their prices, and lets finance staff change them. */
function Plans() {
  const { data, error, refetch } = useAllPlansQuery({ fetchPolicy: "cache-and-network" });
  const [setPlanOnSale] = useSetPlanOnSaleMutation();
  const canEdit = useStaffRole("finance");
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [toggled, setToggled] = useState<ManagedPlan | null>(null);
  const reload = () => void refetch().catch(() => undefined);
  const close = () => setChosen(null);

  if (error && !data) return <ErrorState message={formatError(error, "Unable to load the plans.")} onRetry={reload} />;
  if (!data) return <LoadingBlock label="Loading the plans" tall />;

  async function toggleSale(reason: string) {
    if (!toggled) return;
    await setPlanOnSale({ variables: { input: { slug: toggled.slug, isOnSale: !toggled.isOnSale, reason } } });
    notify.success(`${toggled.name} is ${toggled.isOnSale ? "off sale" : "on sale"}.`);
    setToggled(null);
    reload();
  }

  return (
    <Stack gap="lg">
      {data.allPlans.map((plan) => {
        const open = (action: Chosen["action"]) => (price: ManagedPriceFragment) =>
          setChosen({ action, price, name: `${plan.name}, ${toValue(billingIntervals, price.interval)}` });
        return (
          <PlanCard
            key={plan.slug}
            plan={plan}
            canEdit={canEdit}
            onNewPrice={open("price")}
            onMove={open("move")}
            onToggleSale={() => setToggled(plan)}
          />
        );
      })}
      <NewPriceDialog
        price={chosen?.action === "price" ? chosen.price : null}
        name={chosen?.name ?? ""}
        onClose={close}
        onSaved={reload}
      />
      {chosen?.action === "move" && (
        <MoveSubscribersDialog price={chosen.price} name={chosen.name} onClose={close} onMoved={reload} />
      )}
      <ReasonDialog
        opened={toggled !== null}
        title={toggled?.isOnSale ? `Take ${toggled.name} off sale` : `Put ${toggled?.name ?? ""} on sale`}
        confirmLabel={toggled?.isOnSale ? "Take off sale" : "Put on sale"}
        fallback="Unable to change the plan."
        onConfirm={toggleSale}
        onClose={() => setToggled(null)}
      >
        <Text>
          {toggled?.isOnSale
            ? "Customers can no longer subscribe or change to this plan. Its subscribers keep it, and it keeps renewing."
            : "Customers can subscribe and change to this plan again, at its current price."}
        </Text>
      </ReasonDialog>
    </Stack>
  );
}
