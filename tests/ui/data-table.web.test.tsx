import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderWeb } from "#tests/support/render-web.tsx";
import { useRemoteList } from "#web/ui/table/use-remote-list.ts";
import { DataTable, type DataTableProps } from "#web/ui/table/data-table.tsx";

interface Licence {
  id: string;
  product: string;
  days: number;
}

const licences = (count: number): Licence[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `l${index}`,
    product: `Product ${index + 1}`,
    days: count - index,
  }));

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
      emptySentence="Sorry, you don't have any licence keys yet."
      {...props}
    />
  );
}

const firstCells = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[0]?.textContent);

test("a list is a named table with its headers", () => {
  renderWeb(table());
  const found = screen.getByRole("table", { name: "Licences" });
  const headers = within(found).getAllByRole("columnheader");
  expect(headers.map((header) => header.textContent)).toEqual(["Product", "Days", "Note"]);
  expect(firstCells()).toEqual(["Product 1", "Product 2", "Product 3"]);
});

test("the box labelled Search narrows the rows, and says so when nothing is left", async () => {
  const { user } = renderWeb(table({ rows: licences(12) }));
  await user.type(screen.getByLabelText("Search"), "12");
  expect(firstCells()).toEqual(["Product 1", "Product 12"]);
  await user.type(screen.getByLabelText("Search"), "x");
  expect(screen.getByText(/Nothing matches “12x”/)).toBeTruthy();
});

test("rows come in pages of twenty, or as a list has it, and another page size can be chosen", async () => {
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
])(
  "below a width of 765 px (%s) a page holds %i rows here and %i of the api's at most",
  async (isNarrow, here, there) => {
    const asked: string[] = [];
    const usual = window.matchMedia;
    vi.stubGlobal("matchMedia", (query: string) => {
      asked.push(query);
      return Object.assign(usual(query), { matches: isNarrow && query === "(max-width: 764px)" });
    });
    try {
      const { unmount } = renderWeb(table({ rows: licences(50) }));
      expect(firstCells()).toHaveLength(here);
      unmount();
      function Remote() {
        const remote = useRemoteList();
        return <output>{remote.filter.limit}</output>;
      }
      renderWeb(<Remote />);
      expect(screen.getByRole("status").textContent).toBe(String(there));
      expect(asked).toContain("(max-width: 764px)");
    } finally {
      vi.stubGlobal("matchMedia", usual);
    }
  },
);

test("a header sorts up, then down, then as given, and tells so", async () => {
  const { user } = renderWeb(table());
  const days = screen.getByRole("columnheader", { name: "Days" });
  const sort = within(days).getByRole("button", { name: "Days" });
  await user.click(sort);
  expect(firstCells()).toEqual(["Product 3", "Product 2", "Product 1"]);
  expect(days.getAttribute("aria-sort")).toBe("ascending");
  await user.click(sort);
  expect(firstCells()).toEqual(["Product 1", "Product 2", "Product 3"]);
  expect(days.getAttribute("aria-sort")).toBe("descending");
  await user.click(sort);
  expect(days.hasAttribute("aria-sort")).toBe(false);
  expect(within(screen.getByRole("columnheader", { name: "Note" })).queryByRole("button")).toBeNull();
});

test("numbers inside texts sort as numbers", async () => {
  const { user } = renderWeb(table({ rows: licences(12) }));
  await user.click(screen.getByRole("button", { name: "Product" }));
  expect(firstCells().slice(0, 3)).toEqual(["Product 1", "Product 2", "Product 3"]);
});

test("a row's actions open from a button that names the row", async () => {
  const view = vi.fn();
  const { user } = renderWeb(
    table({
      actions: (row) => [
        { label: "View Licence Code", onSelect: () => view(row.id) },
        { label: "Manage Activated Devices", to: `/devices/${row.id}` },
      ],
    }),
  );
  await user.click(screen.getByRole("button", { name: "Actions for Product 2" }));
  expect(screen.getByRole("menuitem", { name: "Manage Activated Devices" }).getAttribute("href")).toBe("/devices/l1");
  await user.click(screen.getByRole("menuitem", { name: "View Licence Code" }));
  expect(view).toHaveBeenCalledWith("l1");
});

test("the menu of a row answers to the keyboard", async () => {
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
  expect(document.activeElement).toBe(button);
  await user.click(button);
  await user.click(screen.getByLabelText("Search"));
  expect(screen.queryByRole("menu")).toBeNull();
});

test("the menu of a row stays with its button while the page scrolls, and gives the focus back when that is gone", async () => {
  const { user } = renderWeb(table({ rows: licences(1), actions: () => [{ label: "One", onSelect: vi.fn() }] }));
  const button = screen.getByRole("button", { name: "Actions for Product 1" });
  const standAt = (top: number) => {
    button.getBoundingClientRect = () => new DOMRect(900, top, 40, 40);
    fireEvent.scroll(window);
  };
  standAt(200);
  await user.click(button);
  expect(screen.getByRole("menu").style.top).toBe("244px");
  standAt(120);
  expect(screen.getByRole("menu").style.top).toBe("164px");
  expect(document.activeElement?.textContent).toBe("One");
  standAt(-80);
  expect(screen.queryByRole("menu")).toBeNull();
  expect(document.activeElement).toBe(button);
});

test("shows the empty sentence without rows", () => {
  renderWeb(table({ rows: [], emptyAction: <a href="/x">Trial</a> }));
  expect(screen.getByText("Sorry, you don't have any licence keys yet.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Trial" })).toBeTruthy();
  expect(screen.getAllByRole("columnheader")).toHaveLength(3);
});

test("while rows load the list is busy and says nothing of emptiness", () => {
  const { container } = renderWeb(table({ rows: undefined }));
  expect(container.querySelector("[aria-busy=true]")).toBeTruthy();
  expect(screen.queryByText(/licence keys/)).toBeNull();
});

test("when rows can't be fetched it says so and offers another try", async () => {
  const onRetry = vi.fn();
  const { user } = renderWeb(table({ rows: undefined, error: "Unable to fetch your licences.", onRetry }));
  expect(screen.getByRole("alert").textContent).toContain("Unable to fetch your licences.");
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});
