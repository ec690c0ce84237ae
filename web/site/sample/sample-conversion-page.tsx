import content from "content:pages/sample-conversion";
import sample from "content:sample-schedule";
import { formatCount, formatNumber, formatFileSize } from "#schema/numbers.ts";
import { CallToAction } from "#web/licensing/trials/call-to-action.tsx";
import { Band } from "#web/ui/band.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import layout from "#web/ui/layout.module.css";
import { PageHero } from "#web/ui/page-hero.tsx";
import { Mark, Picture } from "#web/ui/pictures/parts.tsx";
import { SectionNav } from "#web/ui/section-nav.tsx";
import classes from "./sample-conversion-page.module.css";
import type { CSSProperties, ReactNode } from "react";

const { plan, schedule, log, health, analysis, call } = content;

const kinds = {
  error: ["Error", "Errors"],
  warning: ["Warning", "Warnings"],
  note: ["Information", "Information"],
} as const;
type Kind = keyof typeof kinds;

/** A real plan and the XER file made from it, with the log, the health check and the analysis. */
export default function SampleConversionPage() {
  return (
    <>
      <PageHero
        content={content}
        actions={sample.files.map(({ name, to, bytes }, index) => (
          <LinkButton key={to} href={to} download size="lg" variant={index === 0 ? "filled" : "default"}>
            {`Download ${name} (${formatFileSize(bytes)})`}
          </LinkButton>
        ))}
        note={content.note}
      />
      <SectionNav label={content.onThisPage} sections={[schedule, log, health, analysis]} />

      <Band id={plan.id} title={plan.title} text={plan.text}>
        <Gantt
          label={plan.title}
          rows={sample.plan}
          months={sample.months}
          columns={[
            { title: "ID", value: ({ code }) => code },
            { title: "Duration", value: ({ duration }) => duration },
            { title: "Predecessors", value: ({ links }) => links },
          ]}
        />
      </Band>

      <Band id={schedule.id} title={schedule.title} text={schedule.text} tone="surface">
        <Gantt
          label={schedule.title}
          rows={sample.schedule}
          months={sample.months}
          isNight
          columns={[
            { title: "Code", value: ({ id }) => id },
            { title: "Type", value: ({ type }) => <code>{type}</code> },
            { title: "Hours", value: ({ hours }) => formatNumber(hours) },
            { title: "Float", value: ({ floatHours }) => `${formatNumber(floatHours)} h` },
          ]}
        />
        <pre className={classes.excerpt} data-night>
          {sample.excerpt.join("\n")}
        </pre>
        <ul
          className={`${layout.actions} ${layout.note}`}
          style={{ marginTop: "1rem" }}
          aria-label="Tables of the XER file"
        >
          {sample.tables.map(({ name, rows }) => (
            <li key={name}>
              <code>{name}</code> {rows}
            </li>
          ))}
        </ul>
      </Band>

      <Band id={log.id} title={log.title} text={log.text}>
        <div className={layout.framed}>
          <ul className={layout.actions} style={{ padding: "1rem 1.25rem", background: "var(--xp-sunken)" }}>
            {sample.counts.map(({ kind, count }) => (
              <li key={kind}>
                <strong style={{ fontSize: "1.5rem" }}>{count}</strong> {kinds[kind as Kind][count === 1 ? 0 : 1]}
              </li>
            ))}
          </ul>
          <ul className={classes.log}>
            {sample.log.map(({ kind, code, text }) => (
              <li key={`${code} ${text}`}>
                <Sign kind={kind as Kind} />
                <code>{code}</code>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </div>
      </Band>

      <Band id={health.id} title={health.title} text={health.text} tone="surface">
        <div className={layout.framed}>
          <table className={layout.table}>
            <thead>
              <tr>
                <th scope="col">{`${sample.health.filter(({ isPassed }) => isPassed).length} of ${sample.health.length} passed`}</th>
                <th scope="col">Found</th>
                <th scope="col">Limit</th>
                <th scope="col" className={classes.wide}>
                  Activities
                </th>
              </tr>
            </thead>
            <tbody>
              {sample.health.map(({ name, tested, found, limit, isPassed, activities }) => (
                <tr key={name}>
                  <th scope="row">
                    <Sign kind={isPassed ? "pass" : "error"} /> {name}
                  </th>
                  <td>{`${found} of ${tested}`}</td>
                  <td>{limit}</td>
                  <td className={classes.wide}>{activities.join(", ")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Band>

      <Band id={analysis.id} title={analysis.title} text={analysis.text}>
        <div className={classes.analysis}>
          {sample.analysis.map(({ code, name, changed, values }) => (
            <details key={code} className={layout.card} style={{ overflow: "hidden" }} open={changed > 0}>
              <summary>
                <code>{code}</code> {name} <span className={layout.note}>{describeChanges(changed)}</span>
              </summary>
              <table className={layout.table}>
                <thead>
                  <tr>
                    <th scope="col" style={{ width: "24%" }}>
                      Value
                    </th>
                    <th scope="col" style={{ width: "38%" }}>
                      Plan
                    </th>
                    <th scope="col" style={{ width: "38%" }}>
                      XER
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {values.map(({ what, before, after, isSame }) => (
                    <tr key={`${what} ${before}`} data-changed={!isSame || undefined}>
                      <th scope="row">{what}</th>
                      <td className={classes.after}>{before}</td>
                      <td className={classes.after}>{after}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </details>
          ))}
        </div>
      </Band>
      <CallToAction title={call.heading} text={call.text} link={call.link} variant="filled" />
    </>
  );
}

const describeChanges = (count: number) => (count === 0 ? "No changes" : formatCount(count, "change"));

/** The sign of a line of a report, with its meaning for screen readers. */
function Sign({ kind }: { kind: Kind | "pass" }) {
  return (
    <span style={{ display: "inline-block", width: "1rem", verticalAlign: "-0.125rem" }}>
      <Picture label={kind === "pass" ? "Passed" : kinds[kind][0]} width={16} height={16}>
        <Mark x={8} y={8} kind={kind} />
      </Picture>
    </span>
  );
}

/** A row of the chart. `at` and `length` are percentages of its width. */
interface GanttRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly at: number;
  readonly length: number;
  readonly level?: number;
}

interface GanttProps<Row extends GanttRow> {
  label: string;
  rows: readonly Row[];
  /** Columns between the name and the bars. Narrow screens leave them out. */
  columns: readonly { readonly title: string; readonly value: (row: Row) => ReactNode }[];
  months: readonly { readonly at: number; readonly label: string }[];
  isNight?: boolean;
}

const place = (row: { readonly at: number; readonly length?: number }) =>
  ({ "--at": `${row.at}%`, "--length": `${row.length ?? 0}%` }) as CSSProperties;

/** A schedule as planning programs show it: a table with a bar for each row. */
function Gantt<Row extends GanttRow>({ label, rows, columns, months, isNight = false }: GanttProps<Row>) {
  return (
    <div className={layout.framed} data-night={isNight || undefined}>
      <table className={`${layout.table} ${classes.table}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Activity</th>
            {columns.map(({ title }) => (
              <th key={title} scope="col" className={classes.extra}>
                {title}
              </th>
            ))}
            <th scope="col" className={classes.time}>
              <span className={layout.hidden}>Time</span>
              <span className={classes.axis} aria-hidden="true">
                {months.map((month) => (
                  <span key={month.label} style={place(month)}>
                    {month.label}
                  </span>
                ))}
              </span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-kind={row.kind}>
              <th scope="row" style={{ "--level": (row.level ?? 1) - 1 } as CSSProperties}>
                {row.name}
              </th>
              {columns.map(({ title, value }) => (
                <td key={title} className={classes.extra}>
                  {value(row)}
                </td>
              ))}
              <td className={classes.time} aria-hidden="true">
                <span className={classes.bar} style={place(row)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
