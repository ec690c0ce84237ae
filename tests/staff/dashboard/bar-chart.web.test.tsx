import { screen, waitFor, within } from "@testing-library/react";
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

test("shows the parts of bars as well as their totals", () => {
  renderWeb(
    <BarChart
      label="Trials"
      points={points.map((point) => ({ ...point, part: 1 }))}
      valueName="started"
      partName="converted"
    />,
  );
  expect(listColumns(screen, true)).toBe("Date | Started | Converted");
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
