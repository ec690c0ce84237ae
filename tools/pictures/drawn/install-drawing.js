/** Draws the static parts of the film: marks, plan, ribbon and progress bars. */

const mark = `<svg width="40" height="40" viewBox="0 0 32 32"><g fill="none" stroke-width="4.2" stroke-linejoin="round">
  <path stroke="#1e967b" d="M1 9h8.5l3.9 3.9M18.6 18.1l3.9 3.9H31"/><path stroke="#f0a202" d="M1 23h8.5L22.5 9H31"/></g></svg>`;

const buttons = [
  ["Export XER", "M4 12h13M12 6l6 6-6 6M21 4v16"],
  ["Import XER", "M20 12H7M12 6l-6 6 6 6M3 4v16"],
  ["Field Mapping", "M3 6h6l6 12h6M3 18h6l6-12h6"],
  ["Health Check", "M3 12h4l3-7 4 14 3-7h4"],
  ["Conversion Analysis", "M4 20V10M10 20V4M16 20v-7M22 20H2"],
  ["Licence", "M4 5h16v14H4zM8 10h8M8 14h5"],
];
const choices = ["Enter Licence Code", "Sign In", "Save Request File", "Open Licence File"];

const tasks = [
  ["Northern interchange", 0, 560, "summary"],
  ["Design freeze", 60, 60, "milestone"],
  ["Piling, abutment A", 60, 230],
  ["Drainage", 120, 300],
  ["Headstock and bearings", 230, 390],
  ["Deck pour", 390, 530],
  ["Open to traffic", 556, 556, "milestone"],
];

/** Fills the page once, before the first frame. */
export function drawOnce(drawn) {
  const { brand, cues, seconds } = drawn;
  const all = (selector) => [...document.querySelectorAll(selector)];
  drawn.host = brand.mailboxes.support.email.split("@")[1];
  for (const element of all(".product")) element.textContent = brand.productName;
  const [first, ...others] = brand.name.split(" ");
  document.querySelector(".brand").innerHTML = `${mark}<span><b>${first}</b> ${others.join(" ")}</span>`;
  document.querySelector("#tab").textContent = brand.productName;
  document.querySelector("#legal-name").textContent = brand.company.legalName;
  document.querySelector("#installer-title").textContent = `${brand.productName} Setup`;
  document.querySelector("#publisher footer b").id = "confirm";

  document.querySelector("#ground").innerHTML = Array.from({ length: 21 }, (_, index) => {
    const x = 40.5 + index * 60;
    return `<line x1="${x}" x2="${x}" y1="0" y2="590"/>`;
  }).join("");
  document.querySelector("#ribbon-plain").innerHTML = "<i></i>".repeat(6);
  document.querySelector("#ribbon-tab").innerHTML = buttons
    .map(([label, path]) => {
      const id = label === "Licence" ? ' id="open-licence"' : "";
      return `<span${id}><svg width="26" height="26" viewBox="0 0 24 24"><path d="${path}"/></svg>${label}</span>`;
    })
    .join("");
  document.querySelector(".choices").innerHTML = choices.map((label) => `<span>${label}</span>`).join("");
  for (const [index, svg] of all(".files svg").entries()) svg.innerHTML = index === 0 ? installerIcon() : paperIcon();
  document.querySelector("#plan").innerHTML = drawPlan();

  drawn.bars = [...new Set(cues.map(({ step }) => step))].map((step) => {
    const own = cues.filter((cue) => cue.step === step);
    return { from: own[0].start, to: own === cues.at(-1) ? seconds : own.at(-1).end };
  });
  document.querySelector("#bars").innerHTML = drawn.bars
    .map(({ from, to }, index) => `<i style="flex:${(to - from).toFixed(3)}"><b id="bar-${index}"></b></i>`)
    .join("");
}

const installerIcon = () => `<rect x="6" y="12" width="64" height="52" rx="8" fill="#0d1917"/>
  <g transform="translate(20 20) scale(1.12)" fill="none" stroke-width="4.2" stroke-linejoin="round">
  <path stroke="#4fd0b0" d="M1 9h8.5l3.9 3.9M18.6 18.1l3.9 3.9H31"/><path stroke="#ffc14d" d="M1 23h8.5L22.5 9H31"/></g>`;
const paperIcon = () => `<path fill="#fff" stroke="#7c8f89" stroke-width="2" d="M16 6h32l14 14v50H16z"/>
  <g fill="#a3dccb"><rect x="24" y="30" width="20" height="6" rx="2"/><rect x="32" y="42" width="22" height="6" rx="2"/></g>`;

function drawPlan() {
  const LEFT = 350;
  const grid = Array.from({ length: 11 }, (_, index) => LEFT + index * 60)
    .map((x) => `<line x1="${x}" x2="${x}" y1="0" y2="344"/>`)
    .join("");
  const rows = tasks.map(([name, from, to, kind], row) => {
    const y = 50 + row * 42;
    const text = `<text x="${kind === "summary" ? 28 : 46}" y="${y + 18}"${kind === "summary" ? ' font-weight="680"' : ""}>${name}</text>`;
    const x = LEFT + 30 + from;
    if (kind === "milestone") return `${text}<path fill="#f0a202" d="M${x} ${y + 1}l12 12-12 12-12-12z"/>`;
    if (kind === "summary")
      return `${text}<path fill="#10201d" d="M${x} ${y + 5}h${to - from}v16l-9-8h${18 - (to - from)}l-9 8z"/>`;
    return `${text}<rect fill="#1e967b" x="${x}" y="${y + 3}" width="${to - from}" height="20" rx="5"/>`;
  });
  const months = ["Mar", "Apr", "May", "Jun", "Jul"].map(
    (month, index) => `<text class="head" x="${LEFT + 12 + index * 120}" y="26">${month}</text>`,
  );
  return `${grid}<line x1="0" x2="1000" y1="40" y2="40"/><text class="head" x="28" y="26">Task name</text>${months.join("")}${rows.join("")}`;
}
