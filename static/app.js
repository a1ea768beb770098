// What htmx cannot know of an auction. The server draws everything; this script
// keeps the time, writes it in the viewer's zone, drops parts of live frames
// that are older than what is shown, says what changed to those who listen, and
// brings what is the reader's own (standing, bid field) in line with the frames.
"use strict";

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const on = (event, act) => document.addEventListener(event, act);
const reader = document.body.dataset.reader;

// The server's clock. What it says is heard late, never early, so the largest
// difference to ours is the truest; it is taken anew with each connection.
// performance.now() never jumps, and where it falls behind (a sleeping machine)
// the next frame corrects it.
let ahead = -Infinity, anew = false;

function hear(made) {
  const difference = Date.parse(made) - performance.now();
  if (anew || difference > ahead) ahead = difference;
  anew = false;
}

// left says the same as left in views/words.go.
function left(milliseconds) {
  const s = Math.ceil(milliseconds / 1000), m = Math.floor(s / 60), h = Math.floor(m / 60), d = Math.floor(h / 24);
  const two = n => String(n).padStart(2, "0");
  if (h === 0) return `${m}:${two(s % 60)}`;
  if (d === 0) return `${h} h ${two(m % 60)} min`;
  return d === 1 ? `1 day ${h % 24} h` : `${d} days`;
}

function count(root) {
  for (const timer of all("[data-until]", root)) {
    const rest = Date.parse(timer.dataset.until) - ahead - performance.now();
    const text = rest > 0 ? left(rest) : timer.dataset.zero;
    timer.classList.toggle("soon", rest <= 60_000);
    timer.closest(".half")?.classList.toggle("past", rest <= 0);
    if (timer.textContent === text) continue;
    timer.textContent = text;
    if (!timer.isConnected || !timer.closest("#live")) continue;
    if (text === "starting") turn("#on-start", "rostrum:start");
    if (text === "5:00" || text === "1:00") say(`${text[0]} minute${text[0] === "1" ? "" : "s"} left.`);
  }
}

// turn fetches what a lot has turned into. Thousands of pages come to the same
// instant, so each waits for a moment of its own.
function turn(element, event, within = 1400) {
  setTimeout(() => one(element) && htmx.trigger(one(element), event), 100 + Math.random() * within);
}

// Instants in the viewer's zone, in the forms of views/words.go: the one that
// they chose in their settings, else the browser's.
const zone = known(document.body.dataset.zone) || Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const parts = new Intl.DateTimeFormat("en-GB", {
  weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit",
  hourCycle: "h23", timeZone: zone, timeZoneName: "short",
});
// An older browser may not know a zone that got its name lately.
function known(name) {
  try { return new Intl.DateTimeFormat("en", { timeZone: name }) && name; } catch { return ""; }
}
const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: zone });

function localise(root) {
  const fields = instant => Object.fromEntries(parts.formatToParts(instant).map(part => [part.type, part.value]));
  const { year } = fields(new Date(ahead + performance.now()));
  for (const time of all("time[data-form]", root)) {
    const instant = new Date(time.dateTime);
    const p = fields(instant), day = `${p.day} ${p.month}`, date = `${day} ${p.year}`, near = p.year === year ? day : date;
    const minute = `${p.hour}:${p.minute}`, second = `${minute}:${p.second}`;
    time.title = zone;
    time.textContent = {
      exact: `${p.weekday} ${date}, ${second} ${p.timeZoneName}` + (minute === "00:00" ? `, as ${weekday.format(instant)} begins` : ""),
      plain: `${p.weekday} ${date}, ${minute} ${p.timeZoneName}`,
      brief: `${near}, ${second}`,
      short: `${near}, ${minute}`,
      clock: `${second} ${p.timeZoneName}`,
      table: `${date}, ${minute}`,
      dated: `${p.weekday} ${date}, ${second} ${p.timeZoneName}`,
    }[time.dataset.form];
  }
}

// For those who listen. The price is told at most every five seconds, the
// newest then; the countdown never, but for two milestones.
let toldAt = -Infinity, telling;
const say = text => { one("#said").textContent = text; };

function tellPrice() {
  clearTimeout(telling);
  telling = setTimeout(() => {
    const live = one("#live");
    if (live) say(`Price ${one("[data-price]", live).textContent}, ${live.dataset.floor ? `next bid from ${live.dataset.floor}` : "nobody can bid more"}.`);
    toldAt = performance.now();
  }, Math.max(200, toldAt + 5000 - performance.now()));
}

// prepare makes new content the reader's before it is seen.
function prepare(root) {
  all("[data-now]", root).forEach(part => hear(part.dataset.now));
  localise(root);
  count(root);
  if (reader) all(`[data-bidder="${reader}"]`, root).forEach(cell => { cell.textContent = "You"; });
}

// mark wraps the digits that changed, to be highlighted, and says whether any did.
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

on("htmx:before:swap", event => {
  const { ctx, tasks } = event.detail;
  for (const task of [...tasks]) {
    const { type, target, fragment } = task, fresh = fragment.firstElementChild;
    if (!target) continue;
    if (type === "main" && target.matches("#panel, #lot") && !one(`#${target.id}`, fragment)) {
      event.preventDefault(); // a proxy's error page, say: it replaces nothing
      return lost(ctx.sourceElement);
    }
    if (type === "partial" && Number(fresh.dataset.version) < Number(target.dataset.version)) {
      tasks.splice(tasks.indexOf(task), 1);
      continue;
    }
    prepare(fragment);
    if (!fresh) continue; // nothing of the answer was selected
    const late = one("[data-late]", fresh);
    late?.classList.toggle("changed", type === "partial" && one("time", late)?.dateTime !== one("[data-late] time", target)?.dateTime);
    if (type === "partial" && mark(one("[data-price]", target), one("[data-price]", fresh)) && target.id === "live") tellPrice();
  }
});

on("htmx:after:swap", event => {
  agree();
  const target = event.detail.ctx.target?.id;
  if (target === "panel") one("#ask") ? ask() : answered();
  if (target === "lot") turned();
  if (event.detail.ctx.sourceElement?.id === "on-edit") {
    one("#edited").hidden = false;
    say(one("#edited").textContent);
  }
});

// agree brings list lines, panel and dock in line with the newest frames.
function agree() {
  for (const row of all(".row")) {
    const { leader, phase } = one(".row-live", row).dataset;
    show(row, row, leader, reader, { sold: ["won", "lost"], withdrawn: ["", ""] }[phase]);
    const last = row.dataset.standing === "leading" && one("[data-last]", row);
    if (last) last.textContent = one("[data-price]", row).textContent;
  }
  const live = one("#live"), panel = one("#panel");
  if (!live || !panel) return;
  edited(live.dataset.terms, one("#lot"));
  if (Number(live.dataset.version) < Number(panel.dataset.version)) return show(one("#lot"), panel); // the answer to a bid came first
  show(one("#lot"), panel, live.dataset.leader, panel.dataset.reader);
  const leading = panel.dataset.standing === "leading", last = one("[data-last]", panel);
  if (leading && last) {
    one(".num", last).textContent = one("[data-price]", live).textContent;
    last.hidden = false;
  }
  if (!live.dataset.floor) return topped();
  follow(live, one("#floor"), one("#amount"));
  moved(live);
}

// topped fetches the lot whose price is as high as it can go: nobody bids on it
// any more. The answer to a bid that is under way comes before that.
function topped() {
  if (one("#bid") && !one("#amount").readOnly) turn("#on-start", "rostrum:start");
}

// edited fetches what the seller has written anew.
function edited(terms, lot) {
  if (!terms || terms === lot.dataset.terms) return;
  lot.dataset.terms = terms;
  one("#bid, #ask") ? turn("#on-edit", "rostrum:edit") : turn("#on-start", "rostrum:start");
}

// show says how the reader stands: who led or had bid, and leads no more, is
// outbid; of a lot that is over, who won and who did not. A sentence is touched
// only when it changes, since it is read out then.
function show(root, keeper, leader, who, [first, second] = ["leading", "outbid"]) {
  if (leader !== undefined) keeper.dataset.standing = who && who === leader ? first : keeper.dataset.standing && second;
  for (const sentence of all("[data-when]", root)) {
    const hidden = sentence.dataset.when !== keeper.dataset.standing;
    if (sentence.hidden !== hidden) sentence.hidden = hidden;
  }
}

// follow takes the floor along, and the field with it where nothing was typed.
function follow(live, floor, field) {
  if (!floor || floor.dataset.amount === live.dataset.amount) return;
  if (field.value === floor.dataset.amount && !field.readOnly) field.value = live.dataset.amount;
  const fresh = floor.cloneNode();
  fresh.textContent = live.dataset.floor;
  fresh.dataset.amount = live.dataset.amount;
  mark(floor, fresh);
  floor.replaceWith(fresh);
  const steps = all("[data-step]", live);
  all("#panel [data-step]").forEach((button, i) => {
    button.hidden = !steps[i];
    if (steps[i]) [button.value, button.textContent] = [steps[i].value, steps[i].textContent];
  });
  const notice = one("#notice"); // it told of the floor before; nothing may move, so it stays
  if (notice) notice.textContent = `The lowest bid is ${live.dataset.floor} now.`;
}

// A bid that was sent stays as it is until its answer comes: the price may have
// moved by it, and the same bid sent again is answered as the first one.
on("htmx:before:request", event => {
  const form = event.detail.ctx.sourceElement;
  if (form?.matches("#bid, #answer") && form.getAttribute("hx-post").endsWith("/bids")) one("#amount").readOnly = true;
});

// ask makes what the server asks a dialog: Escape goes back to the field.
let asked = 0;

function ask() {
  const dialog = one("#ask");
  dialog.removeAttribute("open");
  dialog.showModal();
  asked = performance.now();
  moved(one("#live"));
}

// Nobody has read the question in this time: the press was meant for what was
// there before. Presses that follow one another so quickly answer nothing.
on("click", event => {
  if (!event.target.closest("#answer") || performance.now() - asked >= 700) return;
  event.preventDefault();
  asked = performance.now();
});

// moved says that the price has gone past what is asked about, or that who
// would raise their own bid leads no more, and takes the button away. Amounts
// have 14 digits at most, which a number holds exactly.
function moved(live) {
  const dialog = one("#ask"), { amount, leading } = dialog?.dataset ?? {};
  const holds = Number(amount) >= Number(live.dataset.amount) && (leading !== "true" || live.dataset.leader === reader);
  if (!dialog || holds || one("#amount").readOnly || Number(live.dataset.version) < Number(one("#panel").dataset.version)) return;
  one("[data-floor]", dialog).textContent = live.dataset.floor;
  if (one("#answer .go") === document.activeElement) one("#ask-not").focus();
  one("#answer").hidden = true;
  one("#moved").hidden = false;
}

// A quick step of a person who wants to be asked nothing fills the field: what
// it says follows the price, and may change as one presses it.
on("click", event => {
  const step = event.target.closest("button[data-step]");
  if (!step || one("#panel").dataset.confirm === "true") return;
  event.preventDefault();
  if (one("#amount").readOnly) return;
  one("#amount").value = step.value;
  one("#bid .go").focus();
});

// Enter that is held down, from the field on, answers nothing.
on("keydown", event => { if (event.repeat && event.key === "Enter" && event.target.closest("#ask")) event.preventDefault(); });
document.addEventListener("close", event => event.target.id === "ask" && one("#amount")?.focus(), true);

// answered tells what came of a bid and puts the focus where one goes on; what
// was a mistake is selected, to be typed over.
function answered() {
  const panel = one("#panel");
  const told = one("#amount-mistake, #notice", panel) ?? one(".standing .line:not([hidden]), .say", panel);
  say(told?.textContent.trim() ?? "");
  if (one("[data-refused]", panel)) document.activeElement.blur(); // see notice in panel.templ
  refocus(one("[aria-invalid]", panel) ?? one("#notice, .go", panel));
  one("[aria-invalid]", panel)?.select();
}

function turned() {
  const title = one("#result-title");
  const other = one("#live")?.dataset.floor === "" ? "Nobody can bid more." : "The seller changed this lot.";
  say(title?.parentElement.textContent.trim() ?? (one("#bid") ? "Bidding has started." : other));
  refocus(title);
}

function refocus(element) {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
  watchDock();
}

// lost is for an answer that did not come. After "closed" the stream asks again by itself.
function lost(source) {
  if (source?.id === "on-start") return turn("#on-start", "rostrum:start", 5000);
  if (source?.id === "on-edit") return turn("#on-edit", "rostrum:edit", 5000);
  const told = ["bid", "steps", "answer"].includes(source?.id) && one("[data-lost]", source.closest("#ask") ?? source);
  if (!told) return;
  one("#amount-mistake")?.remove();
  told.hidden = false;
  say(told.textContent);
}

// The connection's state, beside the lot's number. The server speaks every 15
// seconds at least; where it does not, the connection may have died without a
// word, and is made anew. The wall clock also counts what a machine slept.
const silence = 20_000;
let connected, heardAt = Date.now();

function connection(state) {
  const shown = one("#connection");
  if (!shown || shown.dataset.state === state) return;
  all("[data-is]", shown).forEach(word => { word.hidden = word.dataset.is !== state; });
  shown.dataset.state = state;
  age();
}

// age tells how old what is shown may be.
function age() {
  const state = one("#connection")?.dataset.state, seconds = Math.max(0, Math.round((Date.now() - heardAt) / 1000));
  if (state === "live" && seconds * 1000 > silence && !document.hidden) {
    connection("reconnecting");
    return connected?.reader?.cancel();
  }
  if (state === "reconnecting") one("[data-age]").textContent = `, last known ${seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} ago`;
}

on("htmx:sse:after:connection", event => { anew = true; connected = event.detail.connection; });
on("beat", event => hear(event.detail.data));
on("htmx:sse:before:message", () => { heardAt = Date.now(); connection("live"); });
on("htmx:sse:before:connection", event => { if (event.detail.connection.attempt > 0) connection("reconnecting"); });
on("htmx:sse:error", () => connection("reconnecting"));
on("htmx:error", event => {
  const source = event.detail.ctx?.sourceElement;
  source?.id === "stream" ? connection("reconnecting") : lost(source);
});
on("closed", () => { connection(""); turn("#on-close", "rostrum:close"); });
on("visibilitychange", age);

// The dock stands in for the panel while that is out of sight.
const sight = new IntersectionObserver(seen => one("#dock")?.classList.toggle("away", seen.at(-1).isIntersecting), { threshold: .6 });

function watchDock() {
  sight.disconnect();
  const last = one("#panel > :last-child");
  if (last) sight.observe(last);
}

// Who goes back twice in a moment is at an address while the page of the one
// before still comes, and nobody is there yet to hear of it.
const came = performance.getEntriesByType("navigation")[0]?.name.split("#")[0];
if (came && came !== location.href.split("#")[0]) location.reload();

all("[data-zone-name]").forEach(name => { name.textContent = zone.replaceAll("_", " "); });
all("[data-zone-field]").forEach(field => { field.value = zone; });
prepare(document);
agree();
watchDock();
setInterval(() => { count(document); age(); }, 250);
