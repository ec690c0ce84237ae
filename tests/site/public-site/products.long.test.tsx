import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Suspense } from "react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { formatUsAmount } from "#schema/money.ts";
import { planCatalogue, planIntervals, buildPlanPriceId } from "#schema/plan-catalogue.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { getProductIntent } from "#web/platform/landing.ts";
import { paths } from "#web/platform/paths.ts";
import { aliases, heads, patterns } from "#web/app/prerender.tsx";
import { AppRoutes } from "#web/app/router.tsx";
import { getPlanPrices } from "#web/site/products/plan-prices.ts";
import ContentPage from "#web/app/content-page.tsx";
import ProductPage from "#web/site/products/product-details.tsx";
import ProductsPage from "#web/site/products/products-page.tsx";
import TrialAndSubscribePage from "#web/site/products/trial-and-subscribe-page.tsx";

beforeEach(resetSession);

const TRIAL = "Trial Professional Now for Free";

/** Renders pages with their routes, without the app shell. */
const pages = (
  <main>
    <Suspense fallback={null}>
      <Routes>
        <Route path={paths.products.pattern} element={<ProductsPage />} />
        <Route path={paths.product.pattern} element={<ProductPage />} />
        <Route path={paths.trialAndSubscribe.pattern} element={<TrialAndSubscribePage />} />
        <Route path="*" element={<ContentPage />} />
      </Routes>
    </Suspense>
  </main>
);

/** Renders a page and waits for its heading and pictures. */
async function open(at: string, heading: string) {
  const view = renderWeb(pages, { at });
  await waitFor(() => expect(document.querySelector("h1")?.textContent).toBe(heading));
  return { ...view, main: within(screen.getByRole("main")) };
}
const hrefs = (links: HTMLElement[]) => links.map((link) => link.getAttribute("href"));
const article = (main: ReturnType<typeof within>, level: string) => {
  const found = main.getByRole("heading", { level: 3, name: level }).closest("article");
  if (!found) throw new Error(`${level} has no panel.`);
  return found;
};

test("the products page lists and compares the levels, and offers Subscribe and the trial only for Professional", async () => {
  const { main } = await open("/product/", "Planvarro");
  const names = main.getAllByRole("article").map((panel) => within(panel).getByRole("heading").textContent);
  expect(names).toEqual(["Professional", "Plus+", "Standard"]);
  for (const { name, slug, retiring } of planCatalogue) {
    const panel = article(main, name);
    expect(within(panel).getByText(retiring ? "Retiring" : "Flagship")).toBeTruthy();
    expect(panel.textContent).toContain(`US$${formatUsAmount(getPlanPrices(slug).monthly)} a month`);
    expect(panel.textContent).toContain(`US$${formatUsAmount(getPlanPrices(slug).yearly)} a year`);
    const more = within(panel).getByRole("link", { name: `Read More about ${name}` });
    expect(hrefs([more])).toEqual([`/product/${slug}/`]);
  }
  expect(hrefs(main.getAllByRole("link", { name: "Subscribe" }))).toEqual(["/trial-and-subscribe/"]);
  expect(article(main, "Professional").contains(main.getByRole("link", { name: "Subscribe" }))).toBe(true);
  expect(hrefs(main.getAllByRole("link", { name: TRIAL }))).toEqual(["/trial-xer/", "/trial-xer/"]);
  const table = within(main.getByRole("table"));
  const columns = table.getAllByRole("columnheader").map((cell) => cell.textContent);
  expect(columns).toEqual(["Feature", "Standard Retiring", "Plus+ Retiring", "Professional Flagship"]);
  const cells = (row: string) => {
    const header = table.getByRole("rowheader", { name: row });
    return within(header.closest("tr") as HTMLElement)
      .getAllByRole("cell")
      .map((cell) => cell.textContent);
  };
  expect(cells("Calendars")).toEqual(["Included", "Included", "Included"]);
  expect(cells("Detailed health-check spreadsheet")).toEqual(["Not included", "Included", "Included"]);
  expect(cells("Costs")).toEqual(["Not included", "Not included", "Included"]);
  expect(cells("Price per month").at(-1)).toBe("US$99.95");
  expect(cells("Price per year").at(-1)).toBe("US$949.00");
  const corporate = within(main.getByRole("region", { name: "Planning with a team?" }));
  expect(hrefs(corporate.getAllByRole("link"))).toEqual(["mailto:corporate@planvarro.example"]);
});

test("a product page is found by slug or price ID in any case, or else Page Not Found", async () => {
  const pricePages = planCatalogue.flatMap(({ slug, name }) =>
    planIntervals.map((interval) => [`/product/${buildPlanPriceId(slug, interval)}/`, `Planvarro ${name}`] as const),
  );
  for (const [at, heading] of [
    ["/product/XER-Plus", "Planvarro Plus+"],
    ["/Product/xer-standard/", "Planvarro Standard"],
    ...pricePages,
    ["/product/nope/", "Page Not Found"],
    ["/product/xer-professional-weekly/", "Page Not Found"],
  ] as const)
    (await open(at, heading)).unmount();
});

test("the page of Professional shows it as the flagship with prices, yearly saving, trial, Subscribe and showcases", async () => {
  const { main, user } = await open("/product/xer-professional/", "Planvarro Professional");
  expect(main.getByText("Flagship")).toBeTruthy();
  const price = main.getByRole("region", { name: "What it costs" });
  expect(price.textContent).toContain("US$99.95 a month");
  expect(price.textContent).toContain("US$949.00 a year");
  expect(price.textContent).toContain("saves US$250.40");
  expect(price.textContent).toContain("US$79.08 a month, 20% less");
  expect(hrefs(main.getAllByRole("link", { name: "Subscribe" }))).toEqual(["/trial-and-subscribe/"]);
  expect(new Set(hrefs(main.getAllByRole("link", { name: TRIAL })))).toEqual(new Set(["/trial-xer/"]));
  await user.click(main.getByRole("button", { name: "Play: A month-end, start to finish" }));
  expect(main.getByRole("button", { name: "Pause: A month-end, start to finish" })).toBeTruthy();
  expect(main.getByRole("button", { name: "Play: Costs and resources" })).toBeTruthy();
});

test.each(["Plus+", "Standard"])("the page of %s says that it is retiring and links to Professional", async (name) => {
  const plan = planCatalogue.find((one) => one.name === name);
  const { main } = await open(`/product/${plan?.slug}/`, `Planvarro ${name}`);
  expect(main.getByText("Retiring")).toBeTruthy();
  expect(main.getByText(new RegExp(`^${name.replace("+", "\\+")} is a retiring option\\.`))).toBeTruthy();
  expect(hrefs([main.getByRole("link", { name: "About Professional" })])).toEqual(["/product/xer-professional/"]);
  expect(main.queryByRole("link", { name: /Subscribe/ })).toBeNull();
  expect(main.queryByRole("link", { name: TRIAL })).toBeNull();
});

test("Trial & Subscribe has a section for each kind of licence and service, with prices, conditions and links", async () => {
  const { main } = await open("/trial-and-subscribe/", "Trial & Subscribe");
  const sections = main.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
  const conversion = "Scheduling Support and Conversion Services";
  expect(sections).toEqual(["Single User Licencing", "Corporate and Licencing Options", conversion]);
  const links = within(main.getByRole("navigation", { name: "On this page" })).getAllByRole("link");
  expect(links.map((link) => link.textContent)).toEqual(sections);
  for (const href of hrefs(links)) expect(document.querySelector(href ?? "")?.tagName).toBe("SECTION");
  expect(main.getByRole("group", { name: "Billing interval" }).dataset).toHaveProperty("needsScripts");
  for (const [name, subscribe, monthly, yearly] of [
    ["Professional", "Subscribe", "99.95", "949.00"],
    ["Plus+", "Subscribe to Plus+", "74.95", "712.00"],
    ["Standard", "Subscribe to Standard", "49.95", "474.00"],
  ] as const) {
    const slug = planCatalogue.find((plan) => plan.name === name)?.slug;
    const panel = article(main, name);
    expect(panel.textContent).toContain(`US$${monthly} a month`);
    expect(panel.textContent).toContain(`US$${yearly} a year`);
    const link = within(panel).getByRole("link", { name: subscribe });
    for (const interval of ["Yearly", "Monthly"]) {
      fireEvent.click(main.getByRole("button", { name: interval }));
      // The same element: a click that has begun would be lost with a link that is replaced.
      expect(within(panel).getByRole("link", { name: subscribe })).toBe(link);
      expect(hrefs([link])).toEqual([`/manage-subscription/${slug}-${interval.toLowerCase()}/`]);
    }
    const more = within(panel).getByRole("link", { name: `Read more about ${name}` });
    expect(hrefs([more])).toEqual([`/product/${slug}/`]);
  }
  expect(hrefs(main.getAllByRole("link", { name: TRIAL }))).toEqual(["/try-xer/?account=new"]);
  expect(article(main, "Professional").contains(main.getByRole("link", { name: TRIAL }))).toBe(true);
  expect(main.getByRole("heading", { level: 3, name: "What happens when you subscribe" })).toBeTruthy();
  expect(main.getAllByRole("heading", { level: 4 })).toHaveLength(4);
  expect(main.getByText(/Prices are in US dollars and without tax/)).toBeTruthy();
  expect(main.getByText(/They are not for organisations/)).toBeTruthy();
  const corporate = within(main.getByRole("region", { name: "Corporate and Licencing Options" }));
  expect(corporate.getAllByRole("listitem")).toHaveLength(5);
  expect(hrefs(corporate.getAllByRole("link"))).toEqual([
    "mailto:corporate@planvarro.example",
    "/legals/#corporate-licence-terms",
  ]);
  const services = hrefs(within(main.getByRole("region", { name: conversion })).getAllByRole("link"));
  expect(services).toEqual(["/xer-scheduling-support-services/", "/xer-schedule-conversion-services/"]);
});

test("old subscription links require sign-in and remember the product", async () => {
  const { place } = renderWeb(<AppRoutes />, { at: "/product/subscribe/xer-plus/" });
  await waitFor(() => expect(place()).toMatch(/^\/login\/\?returnUrl=/));
  expect(getProductIntent()).toBe("xer-plus");
});

test("price IDs lead to product pages, and unknown products do not lead to the portal", () => {
  expect(aliases).toHaveLength(6);
  expect(aliases).toContainEqual(["/product/xer-professional-yearly/", "/product/xer-professional/"]);
  const built: readonly string[] = heads.map(({ path }) => path);
  expect(aliases.filter(([, path]) => !built.includes(path))).toEqual([]);
  expect(patterns).not.toContain("/product/:productId/");
  expect(patterns).toContain("/product/subscribe/:product/");
});

test("only the terms name prices, because staff change them without a release", () => {
  const folder = join(import.meta.dirname, "../../../web/site/content");
  const named = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) => {
      const found = readFileSync(join(folder, file), "utf8").matchAll(/US\$([\d.,]*\d)/g);
      return Array.from(found, ([, price]) => [file, Number(price)]);
    });
  const { monthly, yearly } = getPlanPrices("xer-professional");
  const terms = join("legals", "terms-and-conditions.md");
  expect(named).toEqual([monthly, yearly].map((cents) => [terms, cents / 100]));
});

// Last, because the prices in force stay loaded.
test("shows the prices in force, and doesn't offer a plan that is off sale", async () => {
  const plans = planCatalogue
    .filter(({ name }) => name !== "Plus+")
    .map(({ slug }) => ({
      slug,
      prices: planIntervals.map((interval) => ({
        id: buildPlanPriceId(slug, interval),
        audCents: interval === "yearly" ? 180_000 : 15_000,
        usdCents: interval === "yearly" ? 120_000 : 10_000,
      })),
    }));
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(plans)));
  document.head.insertAdjacentHTML("beforeend", '<script type="application/ld+json">{"offers":[]}</script>');
  const { main, unmount } = await open("/trial-and-subscribe/", "Trial & Subscribe");
  await waitFor(() => expect(article(main, "Plus+").textContent).toContain("Not sold any more."));
  expect(within(article(main, "Plus+")).queryByRole("link", { name: /Subscribe/ })).toBeNull();
  expect(within(article(main, "Standard")).getByRole("link", { name: "Subscribe to Standard" })).toBeTruthy();
  expect(article(main, "Standard").textContent).toContain("US$100.00 a month");
  // A year costs twelve months.
  expect(main.queryByText(/% less/)).toBeNull();
  expect(document.querySelector('script[type="application/ld+json"]')).toBeNull();
  unmount();
  const products = await open("/product/", "Planvarro");
  const row = products.main.getByRole("rowheader", { name: "Price per year" }).closest("tr");
  const cells = within(row as HTMLElement).getAllByRole("cell");
  expect(cells.map((cell) => cell.textContent)).toEqual(["US$1,200.00", "Not sold any more.", "US$1,200.00"]);
});
