/** The film as a function of time: `showMoment(second)` draws a frame and returns a description of it. */
import { drawOnce } from "./install-drawing.js";

const { cues, spots, seconds } = window.drawn;
drawOnce(window.drawn);

const byId = (id) => document.getElementById(id);
/** Returns a value that eases from 0 at `from` to 1 at `from + length`. */
const ramp = (at, from, length = 0.45) => {
  const share = Math.min(1, Math.max(0, (at - from) / length));
  return share * share * (3 - 2 * share);
};
/** Returns 1 between `from` and `to` and 0 elsewhere, with soft transitions. */
const during = (at, from, to, edge = 0.4) => ramp(at, from, edge) * (1 - ramp(at, to - edge, edge));
const between = (from, to, share) => from + (to - from) * share;

/** Returns the start of sentence `index`. The function below returns the moment `share` of the way through it. */
const start = (index) => cues[index].start;
const within = (index, share) => between(cues[index].start, cues[index].end, share);

/** Description of the current frame. Equal descriptions mean equal frames. */
let drawn = [];
function set(id, { opacity = 1, x = 0, y = 0, scale = 1, scaleX } = {}) {
  const grow = scaleX === undefined ? `scale(${scale.toFixed(4)})` : `scaleX(${scaleX.toFixed(4)})`;
  const transform = `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) ${grow}`;
  const { style } = byId(id);
  style.opacity = opacity.toFixed(3);
  style.visibility = opacity < 0.004 ? "hidden" : "visible";
  style.transform = transform;
  drawn.push(id, opacity < 0.004 ? "" : `${style.opacity}${transform}`);
}
function setText(id, text) {
  const element = byId(id).querySelector("text") ?? byId(id);
  if (element.textContent !== text) element.textContent = text;
  drawn.push(text);
}
function light(id, share, colour = "--xp-accent-soft") {
  byId(id).style.background = share > 0.5 ? `var(${colour})` : "";
  drawn.push(id, share > 0.5);
}
/** Shows a window that moves up a little as it fades in. */
const show = (id, share, more = {}) => set(id, { opacity: share, y: (1 - share) * 14, ...more });

/** Position of the portal's page in the drawn browser, in pixels of the film. */
const VIEW = { left: 101, top: 105, height: 470, zoom: 1.2 };
const showing = ({ y }, share) =>
  Math.max(0, Math.min(820 - VIEW.height / VIEW.zoom, y - (VIEW.height / VIEW.zoom) * share));
const scrolls = { login: showing(spots.login, 0.9), account: 0, menu: showing(spots.more, 0.24) };
function scrollAt(at) {
  if (at < within(3, 0.62)) return scrolls.login;
  return between(scrolls.account, scrolls.menu, ramp(at, start(4) + 0.1, 0.9));
}
const onScreen = ({ x, y }, scroll) => ({ x: VIEW.left + x * VIEW.zoom, y: VIEW.top + (y - scroll) * VIEW.zoom });

const centre = (id) => {
  const { x, y, width, height } = byId(id).getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
};
/** Positions where the cursor stops, with their times and whether it clicks there. */
const stops = [
  { at: 0, x: 1040, y: 500 },
  { at: within(2, 0.38), x: 168, y: 83, click: true },
  { at: within(2, 0.78), x: 1116, y: 83, click: true },
  { at: within(3, 0.56), ...onScreen(spots.login, scrolls.login), click: true },
  { at: within(4, 0.5), ...onScreen(spots.more, scrolls.menu), click: true },
  { at: within(4, 0.84), ...onScreen(spots.download, scrolls.menu), click: true },
  { at: within(5, 0.62), ...centre("file"), click: true },
  { at: within(6, 0.48), x: centre("legal-name").x + 140, y: centre("legal-name").y + 18 },
  { at: within(6, 0.88), ...centre("confirm"), click: true },
  { at: within(7, 0.5), x: 1040, y: 500 },
  { at: within(10, 0.45), ...centre("tab"), click: true },
  { at: within(11, 0.6), ...centre("open-licence"), click: true },
  { at: within(12, 0.5), x: 1090, y: 510 },
  { at: within(14, 0.62), ...centre("pane"), click: true },
  { at: within(15, 0.38), ...centre("box"), click: true },
  { at: within(16, 0.5), ...centre("file"), click: true },
];
function cursorAt(at) {
  let place = stops[0];
  let ring = 0;
  for (const stop of stops.slice(1)) {
    const share = ramp(at, stop.at - 0.8, 0.75);
    place = { x: between(place.x, stop.x, share), y: between(place.y, stop.y, share) };
    if (stop.click && at >= stop.at && at < stop.at + 0.45) ring = (at - stop.at) / 0.45;
  }
  return { ...place, ring };
}

window.showMoment = (at) => {
  drawn = [];
  const index = Math.max(
    0,
    cues.findLastIndex((cue) => cue.start <= at),
  );
  showBand(at, index);

  const opening = 1 - ramp(at, start(2) - 0.4, 0.4);
  set("opening", { opacity: opening });
  for (const row of [0, 1, 2])
    set(`need-${row}`, { opacity: ramp(at, 0.5 + row * 0.6), x: (1 - ramp(at, 0.5 + row * 0.6)) * -18 });

  const opened = start(9) + 0.5;
  const first = during(at, start(2) - 0.1, within(2, 0.98), 0.35);
  const second = during(at, opened, start(14) + 0.1, 0.4);
  show("planner", Math.max(first, second), {
    scale: at > opened ? between(0.97, 1, ramp(at, opened)) : 1 - 0.04 * ramp(at, within(2, 0.86), 0.35),
  });
  set("tab", { opacity: ramp(at, start(10) + 0.1, 0.3) });
  set("ribbon-tab", { opacity: ramp(at, within(10, 0.47), 0.25) });
  light("open-licence", ramp(at, within(11, 0.4), 0.3), "--xp-brand-soft");
  show("licence", during(at, within(11, 0.68), start(14), 0.35));

  show("browser", during(at, start(3) - 0.1, cues[4].end + 0.1));
  set("screens", { y: -scrollAt(at) * VIEW.zoom, scale: VIEW.zoom });
  set("screen-account", { opacity: ramp(at, within(3, 0.62), 0.01) });
  set("screen-menu", { opacity: ramp(at, within(4, 0.53), 0.15) });
  set("saved", { opacity: ramp(at, within(4, 0.88), 0.2) });
  setText("address", at < within(3, 0.62) ? `${window.drawn.host}/login/` : `${window.drawn.host}/my-account/`);

  show("folder", Math.max(during(at, start(5), start(6) + 0.1, 0.35), during(at, start(16) + 0.1, seconds + 9)));
  light("file", during(at, within(5, 0.5), start(7), 0.1) + ramp(at, within(16, 0.5), 0.1), "--xp-brand-soft");
  show("publisher", during(at, start(6) + 0.1, cues[6].end, 0.35));
  light("legal-name", during(at, within(6, 0.35), within(6, 0.7)));

  const done = ramp(at, start(7) + 0.2, cues[7].end - start(7) - 0.5);
  show("installer", during(at, start(7), start(9) + 0.3));
  set("progress", { scaleX: done });
  set("installing", { opacity: done < 1 ? 1 : 0 });
  set("installed", { opacity: done < 1 ? 0 : 1 });
  for (const part of [0, 1, 2]) set(`part-${part}`, { opacity: done > (part + 0.9) / 3 ? 1 : 0 });

  show("options", during(at, start(14) + 0.1, start(16) + 0.2));
  light("pane", ramp(at, within(14, 0.62), 0.1), "--xp-brand-soft");
  const enabled = at > within(15, 0.4);
  byId("box").className = enabled ? "on" : "";
  drawn.push(enabled);
  set("enabled", { opacity: enabled ? 1 : 0 });
  light("row", during(at, start(15), start(16) + 1));

  setText("tag", during(at, start(3), cues[4].end) > 0 ? "Screen of this site" : "Drawing");
  set("tag", { opacity: ramp(at, start(2) - 0.2) });
  const { x, y, ring } = cursorAt(at);
  set("cursor", { x, y, opacity: ramp(at, start(2) - 0.3) });
  set("ring", { opacity: ring > 0 ? 1 - ring : 0, scale: 1 + ring * 3.4 });
  return drawn.join("|");
};

function showBand(at, index) {
  const { step, text, start: from } = cues[index];
  setText("sentence", text);
  set("sentence", { opacity: ramp(at, from, 0.2) });
  setText("marker", step === null ? "?" : step === 0 ? "" : String(step));
  set("marker");
  for (const [bar, { from: begin, to }] of window.drawn.bars.entries())
    set(`bar-${bar}`, { scaleX: Math.min(1, Math.max(0, (at - begin) / (to - begin))) });
}
window.showMoment(0);
