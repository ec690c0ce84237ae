import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { renderWeb } from "#tests/support/render-web.tsx";
import { useRemoteList } from "#web/ui/lists/use-remote-list.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { DataTable, type DataTableProps } from "#web/ui/table/data-table.tsx";

interface Licence {
  id: string;
  product: string;
  days: number;
}

const licences = (count: number): Licence[] =>
  Array.from({ length: count }, (_, n) => ({ id: `l${n}`, product: `Product ${n + 1}`, days: count - n }));

function table(props: Partial<DataTableProps<Licence>> = {}) {
  return (
    <DataTable<Licence>
      name="Licences"
      rows={licences(3)}
      rowId={(row) => row.id}
      rowLabel={(row) => row.product}
      columns={[
        { title: "Product", text: (row) => row.product },
        { title: "Days", text: (row) => `${row.days} days`, sortBy: (row) => row.days, align: "right" },
        { title: "Note", text: () => "none", sortBy: null },
      ]}
      emptyMessage="Sorry, you don't have any licence keys yet."
      {...props}
    />
  );
}

const bodyRows = () => screen.getAllByRole("row").slice(1);
const firstCells = () => bodyRows().map((row) => within(row).getAllByRole("cell")[0]?.textContent);

test("renders a named table, and filters its rows by the search", async () => {
  const { user } = renderWeb(table({ rows: licences(12) }));
  const headers = within(screen.getByRole("table", { name: "Licences" })).getAllByRole("columnheader");
  expect(headers.map((header) => header.textContent)).toEqual(["Product", "Days", "Note"]);
  await user.type(screen.getByLabelText("Search"), "12");
  expect(firstCells()).toEqual(["Product 1", "Product 12"]);
  await user.type(screen.getByLabelText("Search"), "/x");
  expect(screen.getByText(/Nothing matches “12\/x”/)).toBeTruthy();
});

test("shows pages of twenty rows by default and lets users change the page size", async () => {
  const usual = renderWeb(table({ rows: licences(23) }));
  expect(screen.getByText("1–20 of 23")).toBeTruthy();
  usual.unmount();
  const { user } = renderWeb(table({ rows: licences(23), pageSize: 10 }));
  expect(firstCells()).toHaveLength(10);
  expect(screen.getByText("1–10 of 23")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Page 3" }));
  expect(firstCells()).toEqual(["Product 21", "Product 22", "Product 23"]);
  await user.click(screen.getByRole("button", { name: "Previous page" }));
  expect(firstCells()[0]).toBe("Product 11");
  await user.selectOptions(screen.getByLabelText("Rows per page"), "50");
  expect(firstCells()).toHaveLength(23);
});

test.each([
  [false, 20, 20],
  [true, 10, 10],
])("limits pages below 765 px (narrow: %s) to %i client rows and %i API rows", async (isNarrow, here, there) => {
  const queries: string[] = [];
  const usual = window.matchMedia;
  vi.stubGlobal("matchMedia", (query: string) => {
    queries.push(query);
    return Object.assign(usual(query), { matches: isNarrow && query === "(max-width: 764px)" });
  });
  try {
    const { unmount } = renderWeb(table({ rows: licences(50) }));
    expect(firstCells()).toHaveLength(here);
    // A larger page can't be chosen where it wouldn't be shown.
    expect(screen.queryByLabelText("Rows per page") === null).toBe(isNarrow);
    unmount();
    function Remote() {
      return <output>{useRemoteList(useUrlList()).page.first}</output>;
    }
    renderWeb(<Remote />);
    expect(screen.getByRole("status").textContent).toBe(String(there));
    expect(queries).toContain("(max-width: 764px)");
  } finally {
    vi.stubGlobal("matchMedia", usual);
  }
});

test("sorts ascending, descending and in the original order, and announces the order", async () => {
  const { user } = renderWeb(table({ rows: licences(12) }));
  const days = screen.getByRole("columnheader", { name: "Days" });
  const sort = within(days).getByRole("button", { name: "Days" });
  await user.click(sort);
  expect(firstCells()[0]).toBe("Product 12");
  expect(days.getAttribute("aria-sort")).toBe("ascending");
  await user.click(sort);
  expect(firstCells()[0]).toBe("Product 1");
  expect(days.getAttribute("aria-sort")).toBe("descending");
  await user.click(sort);
  expect(days.hasAttribute("aria-sort")).toBe(false);
  // Numbers in texts are sorted by their value.
  await user.click(screen.getByRole("button", { name: "Product" }));
  expect(firstCells().slice(0, 3)).toEqual(["Product 1", "Product 2", "Product 3"]);
  expect(within(screen.getByRole("columnheader", { name: "Note" })).queryByRole("button")).toBeNull();
});

test("opens the actions of a row from a button that names the row", async () => {
  const view = vi.fn();
  const actions: DataTableProps<Licence>["actions"] = (row) => [
    { label: "View licence code", onSelect: () => view(row.id) },
    { label: "Manage Activated Devices", to: `/devices/${row.id}` },
  ];
  const { user } = renderWeb(table({ actions }));
  await user.click(screen.getByRole("button", { name: "Actions for Product 2" }));
  expect(screen.getByRole("menuitem", { name: "Manage Activated Devices" }).getAttribute("href")).toBe("/devices/l1");
  await user.click(screen.getByRole("menuitem", { name: "View licence code" }));
  expect(view).toHaveBeenCalledWith("l1");
});

test("supports the keyboard in the menu of a row", async () => {
  const choose = vi.fn();
  const actions = () => ["One", "Two", "Three"].map((label) => ({ label, onSelect: () => choose(label) }));
  const { user } = renderWeb(table({ rows: licences(1), actions }));
  const button = screen.getByRole("button", { name: "Actions for Product 1" });
  button.focus();
  await user.keyboard("{ArrowDown}");
  expect(button.getAttribute("aria-expanded")).toBe("true");
  expect(document.activeElement?.textContent).toBe("One");
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement?.textContent).toBe("Three");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("Two");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("menu")).toBeNull();
  expect(document.activeElement).toBe(button);
  await user.keyboard("{Enter}{End}{Enter}");
  expect(choose.mock.calls).toEqual([["Three"]]);
  await waitFor(() => expect(document.activeElement).toBe(button));
  await user.click(button);
  await user.click(screen.getByLabelText("Search"));
  expect(screen.queryByRole("menu")).toBeNull();
});

/** A table whose rows delete themselves. */
function ShrinkingTable() {
  const [rows, setRows] = useState(licences(3));
  const remove = (id: string) => setRows(rows.filter((row) => row.id !== id));
  return table({ rows, action: ({ id }) => <button onClick={() => remove(id)}>{`Delete ${id}`}</button> });
}

test("keeps the focus when the row that had it is gone", async () => {
  await renderWeb(<ShrinkingTable />).user.click(screen.getByRole("button", { name: "Delete l1" }));
  expect(screen.getAllByRole("row")).toHaveLength(3);
  expect(document.activeElement).toBe(screen.getByRole("table").parentElement);
});

test("keeps the focus in the pager, on the page that is shown or on a step that can be repeated", async () => {
  const { user } = renderWeb(table({ rows: licences(200), pageSize: 10 }));
  const press = async (name: string) => {
    await user.click(screen.getByRole("button", { name }));
    return document.activeElement?.getAttribute("aria-label");
  };
  // The row of pages moves, so the pressed button becomes that of another page.
  expect(await press("Page 5")).toBe("Page 5");
  expect(await press("Next page")).toBe("Next page");
  expect(await press("Page 20")).toBe("Page 20");
  expect(await press("Page 19")).toBe("Page 19");
  expect(await press("Next page")).toBe("Page 20");
});

/** A table with a filter in the URL. */
function FilteredTable() {
  return table({ rows: [], list: useUrlList({ filters: ["kind"] }) });
}

test.each([
  ["/", false],
  ["/?q=product", true],
  ["/?kind=old", true],
])("says that a list at %s is empty, with the search and an announced count: %s", (at, hasSearch) => {
  renderWeb(<FilteredTable />, { at });
  expect(screen.queryByRole("status")?.textContent).toBe(hasSearch ? "0 matches" : undefined);
  expect(screen.getByText("Sorry, you don't have any licence keys yet.")).toBeTruthy();
  expect(screen.getAllByRole("columnheader")).toHaveLength(3);
  expect(screen.queryByLabelText("Search") !== null).toBe(hasSearch);
});

test("is busy while rows load, and shows an error with a retry button that keeps the focus on the page", async () => {
  const { container, unmount } = renderWeb(table({ rows: undefined }));
  expect(container.querySelector("[aria-busy=true]")).toBeTruthy();
  // Screen readers hear once that the rows are loading, and no placeholders.
  expect(screen.getByRole("progressbar", { name: "Loading Licences" })).toBeTruthy();
  expect(screen.getAllByRole("row")).toHaveLength(1);
  expect(screen.queryByText(/licence keys/)).toBeNull();
  unmount();
  // A failure that nobody catches fails the test.
  const onRetry = vi.fn(() => Promise.reject(new Error("again")));
  const { user } = renderWeb(
    <main id="main" tabIndex={-1}>
      {table({ rows: undefined, error: new Error(), failure: "Unable to fetch your licences.", onRetry })}
    </main>,
  );
  expect(screen.getByRole("alert").textContent).toContain("Unable to fetch your licences.");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(screen.getByRole("main"));
});

test("focuses the search with / and moves between rows with the arrow keys", async () => {
  const { user } = renderWeb(table({ action: (row) => <a href={`/${row.id}`}>Open {row.product}</a> }));
  await user.keyboard("/");
  expect(document.activeElement).toBe(screen.getByLabelText("Search"));
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("Open Product 1");
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.textContent).toBe("Open Product 3");
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement?.textContent).toBe("Open Product 2");
});
