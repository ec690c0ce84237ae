/** Draws the bars of a project plan, which cross a line and continue as data records. It names no brand, so that it suits all. */
const TOP = 172;
const ROW = 84;
const SEAM = 642;

/** Start and end of each bar in pixels, and the record that it turns into. */
const rows = [
  { from: 72, to: 306, tone: "#4fd0b0", record: ["A1020", "Piling, abutment A", "TT_Task"] },
  { from: 190, to: 428, tone: "#2fbf9c", record: ["A1030", "Drainage", "TT_Task"] },
  { from: 306, to: 520, tone: "#4fd0b0", record: ["A1040", "Headstock", "TT_Task"] },
  { from: 428, to: 600, tone: "#2fbf9c", record: ["A1050", "Precast girders", "TT_Task"] },
  { from: 558, milestone: true, record: ["A1090", "Open to traffic", "TT_FinMile"] },
];

const HEIGHT = 40;
const y = (row) => TOP + row * ROW;
const middleOf = (row) => y(row) + HEIGHT / 2;
const grid = Array.from({ length: 12 }, (_, index) => 72 + index * 52)
  .map((x) => `<line x1="${x}" x2="${x}" y1="${TOP - 92}" y2="630"/>`)
  .join("");
const bars = rows
  .map(({ from, to, tone, milestone }, row) => {
    if (milestone) return `<path fill="#ffc14d" d="M${from} ${middleOf(row) - 24}l24 24-24 24-24-24z"/>`;
    return `<rect x="${from}" y="${y(row)}" width="${to - from}" height="${HEIGHT}" rx="8" fill="${tone}"/>`;
  })
  .join("");
// Each bar's colour fades towards the line and reappears on the other side as the mark of its record.
const trails = rows
  .map(({ from, to = from + 24, milestone }, row) => {
    const colour = milestone ? "milestone-trail" : "bar-trail";
    return `<rect x="${to}" y="${middleOf(row) - 2}" width="${SEAM - to + 24}" height="4" fill="url(#${colour})"/>`;
  })
  .join("");
const link = (row, x) =>
  `<path class="link" d="M${x} ${middleOf(row)}h14v${2 * ROW - HEIGHT / 2 - 8}"/><path fill="#6f857e" d="M${x + 7} ${y(row + 2) - 10}h14l-7 10z"/>`;
const records = rows
  .map(({ record }, row) => {
    const cells = record.map(
      (cell, index) => `<text x="${SEAM + [82, 164, 402][index]}" y="${middleOf(row) + 7}">${cell}</text>`,
    );
    return `<text class="mark" x="${SEAM + 36}" y="${middleOf(row) + 7}">%R</text>${cells.join("")}`;
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
  <g class="grid">${grid}<line x1="0" x2="1200" y1="${TOP - 92}" y2="${TOP - 92}"/></g>
  <rect x="${SEAM}" y="${TOP - 92}" width="558" height="630" fill="#080e0c"/>
  <line x1="${SEAM}" x2="${SEAM}" y1="${TOP - 92}" y2="630" stroke="#263833"/>
  <text class="label" x="72" y="${TOP - 34}">interchange.mpp</text>
  <text class="label" x="${SEAM + 36}" y="${TOP - 34}">interchange.xer</text>
  <g class="links">${link(0, 306)}${link(1, 428)}</g>
  ${trails}${bars}
  <g class="records">${records}</g>`;
