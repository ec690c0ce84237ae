import { Stack, Tabs } from "@mantine/core";
import { Suspense } from "react";
import { lazyPart } from "#web/public-ui/lazy-part.tsx";
import { LoadingBlock } from "#web/public-ui/loading-block.tsx";
import { PeriodLock } from "#web/billing/period-lock/period-lock.tsx";
import { GstPanel } from "./gst-panel.tsx";
import { useTaxAddress } from "./use-tax-address.ts";

const RevenuePanel = lazyPart(() => import("#web/billing/revenue/revenue-panel.tsx"), "message");

/** Shows the GST summary and the revenue report as tabs. The URL contains the tab, period and figure. */
export function TaxPage() {
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
