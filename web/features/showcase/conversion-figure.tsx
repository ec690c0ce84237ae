import classes from "./conversion-figure.module.css";

/** A row of the drawn plan: name, level in the breakdown, bar from and to in columns of 22 px. */
interface DrawnRow {
  name: string;
  depth: number;
  from: number;
  to: number;
  kind?: "summary" | "critical" | "milestone";
}

const rows: readonly DrawnRow[] = [
  { name: "Northern interchange", depth: 0, from: 0, to: 13, kind: "summary" },
  { name: "Design freeze", depth: 1, from: 2, to: 2, kind: "milestone" },
  { name: "Piling, abutment A", depth: 1, from: 2, to: 6, kind: "critical" },
  { name: "Drainage", depth: 1, from: 3, to: 7 },
  { name: "Headstock and bearings", depth: 1, from: 6, to: 9, kind: "critical" },
  { name: "Precast girders", depth: 1, from: 5, to: 9 },
  { name: "Deck pour", depth: 1, from: 9, to: 12, kind: "critical" },
  { name: "Open to traffic", depth: 1, from: 13, to: 13, kind: "milestone" },
];

/** The same schedule as an XER file holds it. */
const lines: readonly (readonly [string, string])[] = [
  ["%T", "TASK"],
  ["%F", "task_code  task_name             task_type"],
  ["%R", "A1010      Design freeze         TT_FinMile"],
  ["%R", "A1020      Piling, abutment A    TT_Task"],
  ["%R", "A1040      Headstock and bearings TT_Task"],
  ["%T", "TASKPRED"],
  ["%R", "A1040      A1020   PR_FS   lag 16h"],
  ["%R", "A1060      A1040   PR_FS   lag 0h"],
];

const COLUMN = 22;
const ROW = 30;
const LEFT = 168;
const TOP = 34;

/** The hero's picture: one schedule as a plan, and the same as XER. Told in words by its caption. */
export function ConversionFigure() {
  return (
    <figure className={classes.figure}>
      <div className={classes.stage} aria-hidden="true">
        <div className={classes.plan}>
          <div className={classes.tab}>
            <i />
            interchange.mpp
          </div>
          <Plan />
        </div>
        <div className={classes.file}>
          <div className={classes.tab}>
            <i />
            interchange.xer
          </div>
          <pre className={classes.code}>
            {lines.map(([mark, text]) => (
              <span key={text} data-mark={mark}>
                <b>{mark}</b> {text}
                {"\n"}
              </span>
            ))}
          </pre>
          <div className={classes.log}>
            <span data-tone="fine">0 errors</span>
            <span data-tone="warn">2 warnings</span>
            <span>146 notes</span>
          </div>
        </div>
      </div>
      <figcaption className={classes.caption}>
        A bridge project as a plan with bars and links, and the same activities and relationships as XER records, with a
        conversion log of no errors and two warnings.
      </figcaption>
    </figure>
  );
}

function Plan() {
  const height = TOP + rows.length * ROW + 10;
  const width = LEFT + 14 * COLUMN + 14;
  return (
    <svg className={classes.svg} viewBox={`0 0 ${width} ${height}`} focusable="false">
      <g className={classes.grid}>
        {Array.from({ length: 15 }, (_, index) => (
          <line key={index} x1={LEFT + index * COLUMN} x2={LEFT + index * COLUMN} y1={TOP - 4} y2={height} />
        ))}
        <line x1="0" x2={width} y1={TOP - 4} y2={TOP - 4} />
      </g>
      <g className={classes.months}>
        {["MAR", "APR", "MAY", "JUN"].map((month, index) => (
          <text key={month} x={LEFT + 6 + index * COLUMN * 4} y="20">
            {month}
          </text>
        ))}
      </g>
      <line className={classes.dataDate} x1={LEFT + 4.5 * COLUMN} x2={LEFT + 4.5 * COLUMN} y1={TOP - 4} y2={height} />
      <g className={classes.links}>
        <Link from={1} to={2} at={2} />
        <Link from={2} to={4} at={6} />
        <Link from={4} to={6} at={9} />
        <Link from={6} to={7} at={12.45} end={13} />
      </g>
      {rows.map((row, index) => (
        <Row key={row.name} row={row} y={TOP + index * ROW} index={index} />
      ))}
    </svg>
  );
}

function Row({ row, y, index }: { row: DrawnRow; y: number; index: number }) {
  const x = LEFT + row.from * COLUMN;
  const width = (row.to - row.from) * COLUMN;
  const middle = y + ROW / 2;
  return (
    <g className={classes.row} style={{ "--row": index } as React.CSSProperties}>
      <text className={row.depth === 0 ? classes.wbs : classes.name} x={10 + row.depth * 12} y={middle + 4}>
        {row.name}
      </text>
      {row.kind === "milestone" ? (
        <path className={classes.milestone} d={`M${x} ${middle - 7}l7 7-7 7-7-7z`} />
      ) : row.kind === "summary" ? (
        <path className={classes.summary} d={`M${x} ${middle - 5}h${width}v11l-6-6h${12 - width}l-6 6z`} />
      ) : (
        <rect
          className={row.kind === "critical" ? classes.critical : classes.bar}
          x={x}
          y={middle - 6}
          width={width}
          height="12"
          rx="3"
        />
      )}
    </g>
  );
}

/** A finish-to-start link between two rows. */
function Link({ from, to, at, end = at }: { from: number; to: number; at: number; end?: number }) {
  const x = LEFT + at * COLUMN;
  const y1 = TOP + from * ROW + ROW / 2;
  const y2 = TOP + to * ROW + ROW / 2 - 8;
  const target = LEFT + end * COLUMN + (end === at ? 5 : 0);
  return (
    <>
      <path d={`M${x} ${y1}H${target}V${y2}`} />
      <path className={classes.head} d={`M${target - 3.5} ${y2 - 3}l3.5 5 3.5-5z`} />
    </>
  );
}
