// What htmx cannot know of an auction. The server draws everything; this script
// keeps the time, writes it in the viewer's zone, drops parts of live frames
// that are older than what is shown, says what changed to those who listen, and
// brings what is this reader's own (standing, bid field) in line with the frames.
"use strict";

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const reader = document.body.dataset.reader;

// --- The server's clock ------------------------------------------------------

// A frame is always heard after it was made, so the largest difference between
// its time and ours is the truest. performance.now() never jumps; where it
// falls behind (a sleeping machine) the next frame corrects it.
let ahead = -Infinity;
let listenAnew = false;

function hear(made) {
  const difference = Date.parse(made) - performance.now();
  if (listenAnew || difference > ahead) ahead = difference;
  listenAnew = false;
}

const serverNow = () => ahead + performance.now();

// As left() in views/words.go says it.
function left(milliseconds) {
  const s = Math.ceil(milliseconds / 1000), m = Math.floor(s / 60), h = Math.floor(m / 60), d = Math.floor(h / 24);
  const two = n => String(n).padStart(2, "0");
  if (h === 0) return `${m}:${two(s % 60)}`;
  if (d === 0) return `${h} h ${two(m % 60)} min`;
  return d === 1 ? `1 day ${h % 24} h` : `${d} days`;
}

function count(root = document) {
  for (const timer of all("[data-until]", root)) {
    const rest = Date.parse(timer.dataset.until) - serverNow();
    timer.classList.toggle("soon", rest <= 60_000);
    timer.closest(".half")?.classList.toggle("past", rest <= 0);
    const text = rest > 0 ? left(rest) : timer.dataset.zero;
    if (timer.textContent === text) continue;
    timer.textContent = text;
    if (timer.isConnected && timer.closest("#live")) milestone(timer, rest);
  }
}

function milestone(timer, rest) {
  if (rest <= 0 && timer.dataset.zero === "starting") ask("#on-start", "rostrum:start");
  if (timer.dataset.zero !== "ending") return;
  for (const minutes of [5, 1]) {
    if (rest <= minutes * 60_000 && rest > minutes * 60_000 - 1000) say(minutes === 1 ? "One minute left." : `${minutes} minutes left.`);
  }
}

// Thousands of pages come to the same instant: each asks at its own moment.
function ask(selector, event) {
  setTimeout(() => one(selector) && htmx.trigger(one(selector), event), 100 + Math.random() * 1400);
}

// --- Instants in the viewer's zone -------------------------------------------

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const format = new Intl.DateTimeFormat("en-GB", {
  weekday: "short", day: "numeric", month: "short", year: "numeric",
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short", timeZone: zone,
});
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: zone });

function localise(root = document) {
  for (const time of all("time[data-form]", root)) {
    const instant = new Date(time.dateTime);
    const p = Object.fromEntries(format.formatToParts(instant).map(part => [part.type, part.value]));
    const minute = `${p.hour}:${p.minute}`, second = `${minute}:${p.second}`, day = `${p.day} ${p.month}`;
    const midnight = minute === "00:00" ? `, as ${weekday.format(instant)} begins` : "";
    time.textContent = {
      exact: `${p.weekday} ${day}, ${second} ${p.timeZoneName}${midnight}`,
      plain: `${p.weekday} ${day}, ${minute} ${p.timeZoneName}`,
      brief: `${day}, ${second}`,
      dated: `${p.weekday} ${day} ${p.year}, ${second} ${p.timeZoneName}`,
    }[time.dataset.form];
    time.title = zone;
  }
}

// --- For those who listen ----------------------------------------------------

let saidAt = -Infinity, waiting;

function say(text) { one("#said").textContent = text; }

// The price is told at most every five seconds, the newest then.
function sayPrice() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    saidAt = performance.now();
    const live = one("#live");
    if (live) say(`Price ${one("[data-price]", live).textContent}, next bid from ${live.dataset.floor}.`);
  }, Math.max(200, saidAt + 5000 - performance.now()));
}

// --- Frames ------------------------------------------------------------------

// prepare makes new content this reader's before it is seen.
function prepare(fragment) {
  all("[data-now]", fragment).forEach(part => hear(part.dataset.now));
  localise(fragment);
  count(fragment);
  if (reader) all(`[data-bidder="${reader}"]`, fragment).forEach(cell => { cell.textContent = "You"; });
}

// mark wraps the digits that changed, to be highlighted.
function mark(shown, fresh) {
  const before = shown?.textContent, after = fresh?.textContent;
  if (!before || !after || before === after) return false;
  let same = 0;
  while (before.length === after.length && before[same] === after[same]) same++;
  const changed = document.createElement("span");
  changed.className = "changed";
  changed.textContent = after.slice(same);
  fresh.replaceChildren(after.slice(0, same), changed);
  return true;
}

document.addEventListener("htmx:before:swap", event => {
  const { ctx, tasks } = event.detail;
  for (const task of [...tasks]) {
    const { target, fragment } = task, fresh = fragment.firstElementChild;
    if (!target) continue;
    // An answer without the part it is to replace (a proxy's error page) replaces nothing.
    if (task.type === "main" && target.matches("#panel, #lot") && !one(`#${target.id}`, fragment)) {
      event.preventDefault();
      return lost(ctx.sourceElement);
    }
    if (task.type === "partial" && Number(fresh.dataset.version) < Number(target.dataset.version)) {
      tasks.splice(tasks.indexOf(task), 1);
      continue;
    }
    prepare(fragment);
    if (task.type === "partial" && mark(one("[data-price]", target), one("[data-price]", fresh)) && target.id === "live") sayPrice();
  }
});

document.addEventListener("htmx:after:swap", event => {
  const { sourceElement, target } = event.detail.ctx;
  agree();
  if (target?.id === "panel") answered();
  if (target?.id === "lot") turned();
});

// --- What is this reader's own -----------------------------------------------

// standingNow follows from who leads: who led or has bid and leads no more is outbid.
const standingNow = (shown, leader, who) => who && leader === who ? "leading" : shown && "outbid";

function show(root, standing) {
  for (const sentence of all("[data-when]", root)) {
    const hidden = sentence.dataset.when !== standing;
    if (sentence.hidden !== hidden) sentence.hidden = hidden; // touched only when it changes: it may be read out
  }
}

// agree brings panel, dock and list lines in line with the newest frames.
function agree() {
  for (const row of all(".row")) {
    row.dataset.standing = standingNow(row.dataset.standing, one(".row-live", row).dataset.leader, reader);
    show(row, row.dataset.standing);
  }
  const live = one("#live"), panel = one("#panel");
  if (!live || !panel) return;
  if (Number(live.dataset.version) >= Number(panel.dataset.version)) {
    follow(live, panel);
    const standing = standingNow(panel.dataset.standing, live.dataset.leader, panel.dataset.reader);
    if (standing !== panel.dataset.standing) {
      panel.dataset.standing = standing;
      if (one("#bidding")) one("#bidding").open = standing !== "leading";
    }
    if (standing === "leading") keepLast(panel, one("[data-price]", live).textContent);
  }
  show(one("#lot"), panel.dataset.standing);
}

// follow raises the floor, and the field with it where nothing was typed.
function follow(live, panel) {
  const floor = one("#floor", panel), field = one("#amount", panel);
  if (!floor || floor.dataset.amount === live.dataset.amount) return;
  if (field.value === floor.dataset.amount) field.value = live.dataset.amount;
  const fresh = floor.cloneNode();
  fresh.textContent = live.dataset.floor;
  fresh.dataset.amount = live.dataset.amount;
  mark(floor, fresh);
  floor.replaceWith(fresh);
}

function keepLast(panel, price) {
  const last = one("[data-last]", panel);
  if (!last) return;
  one(".num", last).textContent = price;
  last.hidden = false;
}

// answered tells what came of a bid and puts the focus where one goes on.
function answered() {
  const panel = one("#panel"), mistake = one("#amount-mistake, #notice", panel);
  say((mistake ?? one(".standing .line:not([hidden]), .say", panel))?.textContent.trim() ?? "");
  const next = one("[aria-invalid]", panel) ?? one(panel.dataset.standing === "leading" ? "summary" : ".go", panel);
  if (document.activeElement === document.body) next?.focus({ preventScroll: true });
  watchDock();
}

function turned() {
  const title = one("#result-title");
  say(title?.parentElement.textContent.trim() ?? "Bidding has started.");
  if (document.activeElement === document.body) title?.focus({ preventScroll: true });
  watchDock();
}

function lost(source) {
  if (source?.id === "bid" && one("#lost")) {
    one("#amount-mistake")?.remove();
    one("#lost").hidden = false;
    say(one("#lost").textContent);
  }
}

document.addEventListener("htmx:error", event => lost(event.detail.ctx?.sourceElement));

// --- The stream --------------------------------------------------------------

function connection(state) {
  for (const word of all("#connection [data-is]")) word.hidden = word.dataset.is !== state;
  one("#connection")?.setAttribute("data-state", state);
}

document.addEventListener("htmx:sse:after:connection", () => { listenAnew = true; connection("live"); });
document.addEventListener("htmx:sse:before:connection", event => { if (event.detail.connection.attempt > 0) connection("reconnecting"); });
document.addEventListener("htmx:sse:error", () => connection("reconnecting"));
document.addEventListener("htmx:error", event => { if (event.detail.ctx?.sourceElement.id === "stream") connection("reconnecting"); });
document.addEventListener("closed", () => { connection(""); ask("#on-close", "rostrum:close"); });

// --- The dock, the form's zone, the beginning --------------------------------

// The dock stands in for the panel while that is out of sight.
const sight = new IntersectionObserver(seen => one("#dock")?.classList.toggle("away", seen.at(-1).isIntersecting), { threshold: .6 });
function watchDock() {
  sight.disconnect();
  const last = one("#panel > :last-child");
  if (last) sight.observe(last);
}

for (const name of all("[data-zone], [data-zone-name]")) name.textContent = zone.replaceAll("_", " ");
for (const field of all("[data-zone-field]")) field.value = zone;

prepare(document);
agree();
watchDock();
setInterval(count, 250, document);
