import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { lazy, Suspense } from "react";
import { BrowserRouter, Link, Route, Routes, useNavigate } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { toMoments } from "#web/ui/lists/filter-panel.tsx";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { PortalTheme } from "#web/ui/portal-theme.tsx";
import { DataTable } from "#web/ui/table/data-table.tsx";

beforeEach(resetSession);

const products = Array.from({ length: 35 }, (_, n) => ({ id: `p${n}`, name: `Product ${n + 1}`, days: n }));

/** A list with its state in the URL, and the browser's Back button. */
function Products() {
  const list = useUrlList({ pageSize: 10, rememberAs: "products", filters: ["kind"] });
  const navigate = useNavigate();
  return (
    <>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
      <button type="button" onClick={() => list.apply(new URLSearchParams("kind=old&sort=Days&order=desc"))}>
        Old products
      </button>
      <DataTable
        name="Products"
        list={list}
        rows={products}
        rowId={({ id }) => id}
        columns={[
          { title: "Name", text: ({ name }) => name },
          { title: "Days", text: ({ days }) => String(days), sortBy: ({ days }) => days },
        ]}
        emptyMessage="No products."
      />
    </>
  );
}

const getTitles = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
const firstName = () => within(screen.getAllByRole("row")[1] as HTMLElement).getAllByRole("cell")[0]?.textContent;

test("writes the search, order, page, page size and hidden columns to the URL, and keeps other parameters", async () => {
  const { user, place, unmount } = renderWeb(<Products />, { at: "/?tab=products" });
  await user.type(screen.getByLabelText("Search"), "Product");
  await waitFor(() => expect(place()).toBe("/?tab=products&q=Product"));
  await user.click(screen.getByRole("button", { name: "Days" }));
  await user.click(screen.getByRole("button", { name: "Days" }));
  expect(place()).toBe("/?tab=products&q=Product&sort=Days&order=desc");
  await user.click(screen.getByRole("button", { name: "Page 2" }));
  expect([place(), firstName()]).toEqual(["/?tab=products&q=Product&sort=Days&order=desc&page=2", "Product 25"]);
  await user.click(screen.getByRole("button", { name: "Columns" }));
  await user.click(await screen.findByRole("checkbox", { name: "Days" }));
  expect(place()).toBe("/?tab=products&q=Product&sort=Days&order=desc&page=2&hide=Days");
  expect([screen.queryByRole("checkbox", { name: "Name" }), getTitles()]).toEqual([null, ["Name"]]);
  await user.selectOptions(screen.getByLabelText("Rows per page"), "20");
  expect(place()).toBe("/?tab=products&q=Product&sort=Days&order=desc&size=20&hide=Days");
  unmount();
  // The browser remembers the settings, but not the search and the page.
  const next = renderWeb(<Products />);
  await waitFor(() => expect(next.place()).toBe("/?sort=Days&order=desc&size=20&hide=Days"));
  await next.user.click(screen.getByRole("button", { name: "Columns" }));
  await next.user.click(await screen.findByRole("checkbox", { name: "Days" }));
  expect(getTitles()).toEqual(["Name", "Days"]);
});

test("shows the list of a copied link, even if the reader's settings differ", () => {
  localStorage.setItem("list:products", '{"pageSize":50,"sort":{"id":"Name","desc":true},"hidden":["Days"]}');
  renderWeb(<Products />, { at: "/?q=product&sort=Days&order=desc&page=2" });
  expect(firstName()).toBe("Product 25");
  expect(screen.getByText("11–20 of 35")).toBeTruthy();
  expect(screen.getByRole("columnheader", { name: "Days" })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>("Search").value).toBe("product");
});

test("goes back one change at a time, and one search at a time", async () => {
  const { user, place } = renderWeb(<Products />);
  const goBack = () => user.click(screen.getByRole("button", { name: "Back" }));
  await user.click(screen.getByRole("button", { name: "Page 2" }));
  await user.type(screen.getByLabelText("Search"), "Product 3");
  await waitFor(() => expect(place()).toBe("/?q=Product+3"));
  await user.click(screen.getByRole("button", { name: "Days" }));
  await user.clear(screen.getByLabelText("Search"));
  await waitFor(() => expect(place()).toBe("/?sort=Days"));
  await goBack();
  expect([place(), screen.getByLabelText<HTMLInputElement>("Search").value]).toEqual(["/?q=Product+3", "Product 3"]);
  await goBack();
  expect([place(), screen.getByLabelText<HTMLInputElement>("Search").value]).toEqual(["/", ""]);
  expect(screen.getByText("1–10 of 35")).toBeTruthy();
});

test("puts remembered settings in the URL of a visit without any", async () => {
  localStorage.setItem("list:products", '{"pageSize":-3,"sort":{"id":"Days","desc":true},"hidden":["Days",7]}');
  const { place } = renderWeb(<Products />);
  await waitFor(() => expect(place()).toBe("/?sort=Days&order=desc&hide=Days"));
  expect(firstName()).toBe("Product 35");
});

test("keeps a space at the end of the search while the user types", async () => {
  const { user, place } = renderWeb(<Products />);
  await user.type(screen.getByLabelText("Search"), "product ");
  await waitFor(() => expect(place()).toBe("/?q=product"));
  await user.type(screen.getByLabelText("Search"), "12");
  expect(screen.getByLabelText<HTMLInputElement>("Search").value).toBe("product 12");
});

test("replaces search, filter and order together, and opens the last page for a page past the end", async () => {
  const { user, place, unmount } = renderWeb(<Products />, { at: "/?q=2&page=1&hide=Days" });
  await user.click(screen.getByRole("button", { name: "Old products" }));
  expect(place()).toBe("/?kind=old&sort=Days&order=desc");
  expect(screen.getByLabelText<HTMLInputElement>("Search").value).toBe("");
  unmount();
  const past = renderWeb(<Products />, { at: "/?page=99" });
  await waitFor(() => expect(past.place()).toContain("page=4"));
  expect(screen.getByText("31–35 of 35")).toBeTruthy();
});

test("a link doesn't hide the first column, which the picker can't show again", async () => {
  renderWeb(<Products />, { at: "/?hide=Name&hide=Days" });
  await screen.findByText("1–10 of 35");
  expect(getTitles()).toEqual(["Name"]);
});

test("opens the page of a link that is clicked while the search is not in the URL yet", async () => {
  const loaded = Promise.withResolvers<{ default: () => string }>();
  const Details = lazy(() => loaded.promise);
  window.history.replaceState(null, "", "/list?q=product");
  render(
    <PortalTheme>
      <BrowserRouter>
        <Suspense fallback="Loading">
          <Routes>
            <Route
              path="/list"
              element={
                <>
                  <Products />
                  <Link to="/details">Details of product 12</Link>
                </>
              }
            />
            <Route path="/details" element={<Details />} />
          </Routes>
        </Suspense>
      </BrowserRouter>
    </PortalTheme>,
  );
  fireEvent.change(screen.getByLabelText("Search"), { target: { value: "product 12" } });
  fireEvent.click(screen.getByRole("link", { name: "Details of product 12" }));
  // Longer than the pause in typing after which the search is written.
  await new Promise((resolve) => {
    setTimeout(resolve, 400);
  });
  loaded.resolve({ default: () => "Product 12 in detail" });
  expect(await screen.findByText("Product 12 in detail")).toBeTruthy();
  expect(window.location.pathname).toBe("/details");
});

test("leaves a day that isn't in the calendar out of a filter", () => {
  const { from, to } = toMoments({ from: "2026-02-30", to: "2026-02-28" });
  expect(from).toBe("");
  expect(new Date(to).getDate()).toBe(28);
});
