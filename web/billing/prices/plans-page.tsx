import { Stack, Text } from "@mantine/core";
import { type ManagedPriceFragment, useAllPlansQuery, useSetPlanOnSaleMutation } from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { SeatPriceList } from "#web/billing/seats/seat-price-list.tsx";
import { type ManagedPlan, PlanCard } from "./plan-card.tsx";
import { billingIntervals } from "#schema/plan-catalogue.ts";
import { toValue } from "#schema/closed-list.ts";

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
  const query = useAllPlansQuery();
  const { data, refetch } = query;
  const [setPlanOnSale] = useSetPlanOnSaleMutation();
  const canEdit = useStaffRole("finance");
  const openDialog = useOpenDialog();
  const reload = () => void refetch().catch(() => undefined);

  if (!data) return <Loaded query={query} failure="Unable to load the plans." loading="Loading the plans" tall />;

  function toggleSale({ slug, name, isOnSale }: ManagedPlan) {
    openDialog(() => import("./reason-dialog.tsx"), {
      title: isOnSale ? `Take ${name} off sale` : `Put ${name} on sale`,
      confirmLabel: isOnSale ? "Take off sale" : "Put on sale",
      fallback: "Unable to change the plan.",
      onConfirm: async (reason) => {
        await setPlanOnSale({ variables: { input: { slug, isOnSale: !isOnSale, reason } } });
        notify.success(`${name} is ${isOnSale ? "off sale" : "on sale"}.`);
        reload();
      },
      children: (
        <Text>
          {isOnSale
            ? "Customers can no longer subscribe or change to this plan. Its subscribers keep it, and it keeps renewing."
            : "Customers can subscribe and change to this plan again, at its current price."}
        </Text>
      ),
    });
  }

  return (
    <Stack gap="lg">
      {data.allPlans.map((plan) => {
        const getName = ({ interval }: ManagedPriceFragment) => `${plan.name}, ${toValue(billingIntervals, interval)}`;
        return (
          <PlanCard
            key={plan.slug}
            plan={plan}
            canEdit={canEdit}
            onNewPrice={(price) =>
              openDialog(() => import("./new-price-dialog.tsx"), { price, name: getName(price), onSaved: reload })
            }
            onMove={(price) =>
              openDialog(() => import("./move-subscribers-dialog.tsx"), {
                price,
                name: getName(price),
                onMoved: reload,
              })
            }
            onToggleSale={() => toggleSale(plan)}
          />
        );
      })}
      <SeatPriceList canEdit={canEdit} />
    </Stack>
  );
}
