import { Stack, Tabs } from "@mantine/core";
import { Suspense } from "react";
import { vendorTimeName } from "#schema/days.ts";
import { paths } from "#web/platform/paths.ts";
import { PeriodLock } from "#web/billing/period-lock/period-lock.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { GstPanel } from "./gst-panel.tsx";
import { useTaxAddress } from "./use-tax-address.ts";

const RevenuePanel = lazyPart(() => import("#web/billing/revenue/revenue-panel.tsx"), "message");

/** Page with the GST summary for the business activity statement. */
export default function TaxPage() {
  return (
    <PageLayout
      title={paths.tax.title}
      lead={`GST for the business activity statement, revenue and cash. Select a figure to see its rows. Days are in ${vendorTimeName}.`}
    >
      <TaxTabs />
    </PageLayout>
  );
}

/** Shows the GST summary and the revenue report as tabs. The URL contains the tab, period and figure. */
function TaxTabs() {
  const address = useTaxAddress();
  const tab = address.params.get("tab") === "revenue" ? "revenue" : "gst";
  return (
    <>
      <PeriodLock now={address.now} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          address.change({ tab: value === "revenue" ? value : null, figure: null, month: null, q: null })
        }
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="gst">GST summary</Tabs.Tab>
          <Tabs.Tab value="revenue">Revenue and cash</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="gst">
          <Stack gap="lg">
            <GstPanel address={address} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="revenue">
          <Suspense fallback={<LoadingBlock label="Loading the revenue report" tall />}>
            <RevenuePanel address={address} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
