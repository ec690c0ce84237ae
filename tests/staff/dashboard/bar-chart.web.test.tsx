import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { listColumns } from "#tests/support/mock-query.tsx";
import { renderWeb } from "#tests/support/render-web.tsx";
import { BarChart } from "#web/staff/charts/bar-chart.tsx";

const points = [
  { key: "2026-11-01", label: "1 Nov", value: 3 },
  { key: "2026-11-02", label: "2 Nov", value: 1_200 },
  { key: "2026-11-03", label: "3 Nov", value: 0 },
];

test("describes the chart and lists its values in a table", async () => {
  const { user } = renderWeb(<BarChart label="Validations a day" points={points} />);
  expect(
    screen.getByRole("img", { name: "Validations a day, 1 Nov to 3 Nov: 1,203 in total, highest 1,200 (2 Nov)." }),
  ).toBeTruthy();
  await user.click(screen.getByText("Values"));
  const rows = within(screen.getByRole("table", { name: "Validations a day" })).getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual(["DateValue", "1 Nov3", "2 Nov1,200", "3 Nov0"]);
});

test("shows the value of each bar with the arrow keys until the slider loses the focus", async () => {
  renderWeb(<BarChart label="Validations a day" points={points} />);
  const walk = screen.getByRole("slider", { name: "Read Validations a day" });
  expect(walk.getAttribute("aria-valuetext")).toBe("3 Nov: 0");
  fireEvent.change(walk, { target: { value: "1" } });
  expect(walk.getAttribute("aria-valuetext")).toBe("2 Nov: 1,200");
  expect(screen.getByText("1,200", { selector: "b" })).toBeTruthy();
  fireEvent.blur(walk);
  expect(screen.queryByText("1,200", { selector: "b" })).toBeNull();
});

test("shows the parts of bars as well as their totals", async () => {
  renderWeb(
    <BarChart
      label="Trials"
      points={points.map((point) => ({ ...point, part: 1 }))}
      valueName="started"
      partName="converted"
    />,
  );
  expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toBe("3 Nov: 0 started, 1 converted");
  expect(listColumns(screen, true)).toBe("Date | Started | Converted");
});

test("names one value in the singular", () => {
  const more = [...points, { key: "2026-11-04", label: "4 Nov", value: 1 }];
  renderWeb(<BarChart label="Users" points={more} valueName="rows" />);
  const walk = screen.getByRole("slider");
  expect(walk.getAttribute("aria-valuetext")).toBe("4 Nov: 1 row");
  fireEvent.change(walk, { target: { value: "1" } });
  expect(walk.getAttribute("aria-valuetext")).toBe("2 Nov: 1,200 rows");
});

test("shows a message if there are no points or all values are zero", () => {
  renderWeb(
    <>
      <BarChart label="One" points={[]} emptyMessage="No point." />
      <BarChart label="Two" points={[{ key: "a", label: "1 Nov", value: 0 }]} />
    </>,
  );
  for (const text of ["No point.", "No data for this period."]) expect(screen.getByText(text)).toBeTruthy();
  expect(screen.queryByRole("img")).toBeNull();
});

test("draws a hundred bars and keeps the smallest one visible", async () => {
  const many = Array.from({ length: 100 }, (_, index) => ({
    key: String(index),
    label: `${index}`,
    value: index === 0 ? 1 : index === 1 ? 0 : 1_000_000,
  }));
  const { container } = renderWeb(<BarChart label="Many" points={many} height={100} look="spark" />);
  await waitFor(() => expect(container.querySelectorAll(".recharts-bar-rectangle path")).toHaveLength(99));
  expect(Number(container.querySelector(".recharts-bar-rectangle path")?.getAttribute("height"))).toBe(2);
});
