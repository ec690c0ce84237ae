/** Draws the bars of a project plan, which cross a line and continue as data records, to show what the product does. */
const { brand } = window.drawn;
const [first, ...others] = brand.name.split(" ");
const name = document.querySelector(".name");
name.append(Object.assign(document.createElement("b"), { textContent: first }), ` ${others.join(" ")}`);
document.querySelector("h1").textContent = brand.tagline;

const TOP = 384;
const ROW = 44;
const SEAM = 642;

/** Start and end of each bar in pixels, and the record that it turns into. */
const rows = [
  { from: 72, to: 306, tone: "#4fd0b0", record: ["A1020", "Piling, abutment A", "TT_Task"] },
  { from: 190, to: 428, tone: "#2fbf9c", record: ["A1030", "Drainage", "TT_Task"] },
  { from: 306, to: 520, tone: "#4fd0b0", record: ["A1040", "Headstock", "TT_Task"] },
  { from: 428, to: 600, tone: "#2fbf9c", record: ["A1050", "Precast girders", "TT_Task"] },
  { from: 558, milestone: true, record: ["A1090", "Open to traffic", "TT_FinMile"] },
];

const y = (row) => TOP + row * ROW;
const grid = Array.from({ length: 12 }, (_, index) => 72 + index * 52)
  .map((x) => `<line x1="${x}" x2="${x}" y1="${TOP - 68}" y2="630"/>`)
  .join("");
const bars = rows
  .map(({ from, to, tone, milestone }, row) => {
    const middle = y(row) + 11;
    if (milestone) return `<path fill="#ffc14d" d="M${from} ${middle - 15}l15 15-15 15-15-15z"/>`;
    return `<rect x="${from}" y="${y(row)}" width="${to - from}" height="22" rx="5" fill="${tone}"/>`;
  })
  .join("");
// Each bar's colour fades towards the line and reappears on the other side as the mark of its record.
const trails = rows
  .map(({ from, to = from + 15, milestone }, row) => {
    const colour = milestone ? "milestone-trail" : "bar-trail";
    return `<rect x="${to}" y="${y(row) + 9}" width="${SEAM - to + 24}" height="4" fill="url(#${colour})"/>`;
  })
  .join("");
const link = (row, x) =>
  `<path class="link" d="M${x} ${y(row) + 11}h14v${2 * ROW - 17}"/><path fill="#6f857e" d="M${x + 8} ${y(row) + 2 * ROW - 8}h12l-6 8z"/>`;
const records = rows
  .map(({ record }, row) => {
    const cells = record.map(
      (cell, index) => `<text x="${SEAM + [82, 164, 402][index]}" y="${y(row) + 18}">${cell}</text>`,
    );
    return `<text class="mark" x="${SEAM + 36}" y="${y(row) + 18}">%R</text>${cells.join("")}`;
  })
  .join("");

document.querySelector(".art").innerHTML = `
  <defs>
    <linearGradient id="bar-trail" gradientUnits="userSpaceOnUse" x1="300" x2="${SEAM + 24}" y1="0" y2="0">
      <stop stop-color="#4fd0b0" stop-opacity=".12"/><stop offset="1" stop-color="#4fd0b0" stop-opacity=".8"/>
    </linearGradient>
    <linearGradient id="milestone-trail" gradientUnits="userSpaceOnUse" x1="570" x2="${SEAM + 24}" y1="0" y2="0">
      <stop stop-color="#ffc14d" stop-opacity=".2"/><stop offset="1" stop-color="#ffc14d" stop-opacity=".9"/>
    </linearGradient>
  </defs>
  <g class="grid">${grid}<line x1="0" x2="1200" y1="${TOP - 68}" y2="${TOP - 68}"/></g>
  <rect x="${SEAM}" y="${TOP - 68}" width="558" height="460" fill="#080e0c"/>
  <line x1="${SEAM}" x2="${SEAM}" y1="${TOP - 68}" y2="630" stroke="#263833"/>
  <text class="label" x="72" y="${TOP - 28}">interchange.mpp</text>
  <text class="label" x="${SEAM + 36}" y="${TOP - 28}">interchange.xer</text>
  <g class="links">${link(0, 306)}${link(1, 428)}</g>
  ${trails}${bars}
  <g class="records">${records}</g>`;
